"""The check `one_of`: values are among a set."""

from __future__ import annotations

from whence.checks.checked_table import CheckedTable
from whence.checks.kind import COLUMN, CheckKind
from whence.checks.plan import CheckPlan
from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted, typed
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import join_names


class OneOfCheck(CheckKind):
    """Values are among those listed. NULL passes."""

    name = "one_of"
    parameters = (COLUMN, Parameter("values", "values", "the values allowed", is_required=True))

    def describe(self, values: Arguments) -> str:
        return f"{values.text('column')} is one of {join_names(map(str, _allowed(values)))}"

    def plan(self, table: CheckedTable, values: Arguments) -> CheckPlan:
        column = table.column(values.text("column"))
        allowed = ", ".join(typed(value, column.type) for value in _allowed(values))
        return CheckPlan(f"{quoted(column.name)} not in ({allowed})", (column.name,), (column.name,))


def _allowed(values: Arguments) -> tuple[object, ...]:
    listed = values.value("values")
    return listed if isinstance(listed, tuple) else ()
