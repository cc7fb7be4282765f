"""Values of rows that several aggregates read, as columns of projections below them: each is computed once a row."""

from __future__ import annotations

from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.expr import Column, Expr, alias, ref
from whence.plan.step import Step
from whence.plan.steps.project import Project


class NamedValues:
    """Collects values; one that reads others stands in a projection above theirs."""

    def __init__(self, ids: ColumnIdAllocator) -> None:
        self._ids = ids
        self._columns: dict[Expr, Column] = {}
        self._levels: dict[Column, int] = {}

    def name(self, expr: Expr) -> Expr:
        """Return the column with this value; a column or a constant stays what it is."""
        if expr.kind in ("column", "literal"):
            return expr
        if expr not in self._columns:
            column = self._ids.column("value", "", nullable=True)
            self._levels[column] = 1 + max((self._levels.get(each, 0) for each in expr.columns), default=0)
            self._columns[expr] = column
        return ref(self._columns[expr])

    def project_over(self, step: Step) -> Step:
        """Return the step with the values beside its columns."""
        for level in range(1, 1 + max(self._levels.values(), default=0)):
            made = (alias(expr, column) for expr, column in self._columns.items() if self._levels[column] == level)
            step = Project(step, (*map(ref, step.columns), *made))
        return step
