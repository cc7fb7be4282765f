"""The check `type`: a column holds values of a type."""

from __future__ import annotations

from whence.checks.checked_table import CheckedTable
from whence.checks.kind import COLUMN, CheckKind
from whence.checks.plan import CheckPlan
from whence.model.parameter import Parameter
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import join_names


class TypeCheck(CheckKind):
    """The column has one of these types. A type without its numbers, such as decimal, allows all of them."""

    name = "type"
    parameters = (COLUMN, Parameter("types", "texts", "the types allowed, as in SQL", is_required=True))

    def describe(self, values: Arguments) -> str:
        *others, last = values.texts("types")
        return f"{values.text('column')} holds {f'{join_names(others)} or {last}' if others else last}"

    def plan(self, table: CheckedTable, values: Arguments) -> CheckPlan:
        column = table.column(values.text("column"))
        allowed = {"".join(each.lower().split()) for each in values.texts("types")}
        fits = {column.type, column.type.partition("(")[0]} & allowed
        return CheckPlan(where=not fits, why=f"{column.name} holds {column.type}")
