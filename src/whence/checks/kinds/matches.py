"""The check `matches`: texts have a form."""

from __future__ import annotations

from whence.checks.checked_table import CheckedTable
from whence.checks.kind import COLUMN, CheckKind
from whence.checks.plan import CheckPlan
from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted, text
from whence.transformations.arguments import Arguments


class MatchesCheck(CheckKind):
    """The whole text matches a regular expression of Java. NULL passes."""

    name = "matches"
    parameters = (COLUMN, Parameter("pattern", "text", "the regular expression", is_required=True))

    def describe(self, values: Arguments) -> str:
        return f"{values.text('column')} matches {values.text('pattern')}"

    def plan(self, table: CheckedTable, values: Arguments) -> CheckPlan:
        column = table.column(values.text("column"))
        if column.type != "string":
            raise UserError(f"{column.name} holds {column.type}, not text.", "Check it with between, one_of or row.")
        # \z, as $ also matches before a line break at the end.
        whole = f"\\A(?:{values.text('pattern')})\\z"
        return CheckPlan(f"not ({quoted(column.name)} rlike {text(whole)})", (column.name,), (column.name,))
