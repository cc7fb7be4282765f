"""The check `not_null`: no value is missing."""

from __future__ import annotations

from whence.checks.checked_table import CheckedTable
from whence.checks.kind import COLUMN, CheckKind
from whence.checks.plan import CheckPlan
from whence.plan.sql_text import quoted
from whence.transformations.arguments import Arguments


class NotNullCheck(CheckKind):
    """No value is NULL. NaN is a value and passes."""

    name = "not_null"
    form = "one for each column"
    parameters = (COLUMN,)

    def describe(self, values: Arguments) -> str:
        return f"{values.text('column')} is not null"

    def plan(self, table: CheckedTable, values: Arguments) -> CheckPlan:
        column = table.column(values.text("column"))
        return CheckPlan(f"{quoted(column.name)} is null", (column.name,), (column.name,))
