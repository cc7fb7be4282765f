"""Put the one value of a subquery beside every row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import cast

from whence.plan.catalyst import LEFT_OUTER, NO_HINT, Build, Option
from whence.plan.columnmap import ColumnMap, Use
from whence.plan.expr import TRUE, Column
from whence.plan.fresh import Fresh
from whence.plan.influence import Influences, whole
from whence.plan.step import Marked, Step, Traced
from whence.plan.steps.outer_join import OuterJoin


@dataclass(frozen=True)
class ScalarSubquery(Step):
    """`(select max(x) from t)` inside an expression, as a left join with its single row."""

    child: Step
    scalar: Step
    contributes: bool
    """The value is shown; one that only decides in a filter influences."""

    @classmethod
    def over(cls, child: Step, scalars: Iterable[object], *, contributes: bool) -> Step:
        """The child with the value of each subquery beside its rows."""
        for scalar in scalars:
            child = cls(child, cast(Step, scalar), contributes)
        return child

    def written(self) -> Build:
        return Build("Join", (self.child, self.scalar, LEFT_OUTER, Option(TRUE), NO_HINT))

    @property
    def inputs(self) -> tuple[Step, ...]:
        return (self.child, self.scalar)

    @property
    def columns(self) -> tuple[Column, ...]:
        return (*self.child.columns, *self.scalar.columns)

    @property
    def most_rows(self) -> int:
        return self.child.most_rows

    def with_lineage(self, inputs: tuple[Traced, ...], fresh: Fresh) -> Traced:
        child, _ = inputs
        if self.contributes:
            return replace(self._joined.with_lineage(inputs, fresh), key=child.key)
        return replace(child, step=replace(self, child=child.step))

    def with_marks(self, inputs: tuple[Marked, ...], fresh: Fresh) -> Marked:
        return self._joined.with_marks(inputs, fresh)

    def influences(self) -> Influences:
        found = super().influences()
        return found if self.contributes else found | whole(self.scalar.sources, beside=self.child.sources)

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        child, scalar = inputs
        if self.contributes:
            return ColumnMap({**child.values, **scalar.values}, child.row)
        return ColumnMap({**child.values, **{column: frozenset[Use]() for column in scalar.values}}, child.row)

    @property
    def _joined(self) -> OuterJoin:
        return OuterJoin(self.child, self.scalar, TRUE)
