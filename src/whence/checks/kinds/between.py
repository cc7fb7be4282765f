"""The check `between`: values lie in a range."""

from __future__ import annotations

from whence.checks.checked_table import CheckedTable
from whence.checks.kind import COLUMN, CheckKind
from whence.checks.plan import CheckPlan
from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.model.schema import Field
from whence.plan.sql_text import quoted, typed
from whence.transformations.arguments import Arguments


class BetweenCheck(CheckKind):
    """Values are at least `low` and at most `high`; either may be left open. NULL passes, NaN fails."""

    name = "between"
    parameters = (
        COLUMN,
        Parameter("low", "value", "the smallest value allowed"),
        Parameter("high", "value", "the largest value allowed"),
    )

    def describe(self, values: Arguments) -> str:
        column, low, high = values.text("column"), values.value("low"), values.value("high")
        if low is not None and high is not None:
            return f"{column} is between {low} and {high}"
        return f"{column} is at most {high}" if low is None else f"{column} is at least {low}"

    def plan(self, table: CheckedTable, values: Arguments) -> CheckPlan:
        column, low, high = table.column(values.text("column")), values.value("low"), values.value("high")
        if low is None and high is None:
            raise UserError("A between check needs low, high or both: the bounds.")
        name = quoted(column.name)
        fails = [] if low is None else [f"{name} < {_bound(low, column)}"]
        fails += [] if high is None else [f"{name} > {_bound(high, column)}"]
        # Spark takes NaN for larger than every number, so it would pass a check that has no upper bound.
        fails += [f"isnan({name})"] if column.type in ("float", "double") else []
        ends = tuple(None if end is None else _bound(end, column) for end in (low, high))
        return CheckPlan(" or ".join(fails), (column.name,), (column.name,), (ends[0], ends[1]))


def _bound(value: object, column: Field) -> str:
    """Return a bound in SQL: a number as it is, so that 2.5 bounds whole numbers, else in the type of the column."""
    if isinstance(value, float):
        return typed(value, "double")
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    return typed(value, "decimal(38,0)" if is_whole else column.type)
