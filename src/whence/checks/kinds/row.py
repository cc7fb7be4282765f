"""The check `row`: a condition in SQL that holds in every row."""

from __future__ import annotations

from whence.checks.checked_table import CheckedTable
from whence.checks.kind import CheckKind
from whence.checks.plan import CheckPlan
from whence.model.parameter import Parameter
from whence.transformations.arguments import Arguments


class RowCheck(CheckKind):
    """A condition in SQL holds in every row. As with CHECK in SQL, a row where it is NULL passes."""

    name = "row"
    parameters = (
        Parameter("condition", "condition", "a condition in SQL", is_required=True),
        Parameter("columns", "columns", "the columns whose cells are in doubt where it fails; else the row is"),
    )

    def describe(self, values: Arguments) -> str:
        return values.text("condition").strip()

    def plan(self, table: CheckedTable, values: Arguments) -> CheckPlan:
        condition = values.text("condition")
        reads = table.condition(condition)
        marks = tuple(table.column(name).name for name in values.texts("columns"))
        return CheckPlan(f"not ({condition}\n)", reads.columns, marks)
