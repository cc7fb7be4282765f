"""The check `count`: the dataset has about as many rows as expected."""

from __future__ import annotations

from whence.checks.checked_table import CheckedTable
from whence.checks.kind import CheckKind
from whence.checks.plan import CheckPlan
from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.model.plural import counted
from whence.transformations.arguments import Arguments


class CountCheck(CheckKind):
    """There are at least `least` rows and at most `most`; either may be left open."""

    name = "count"
    parameters = (
        Parameter("least", "whole", "the smallest number of rows", least=0),
        Parameter("most", "whole", "the largest number of rows", least=0),
    )

    def describe(self, values: Arguments) -> str:
        least, most = values.value("least"), values.value("most")
        if least is not None and most is not None:
            return f"{least} to {most} rows"
        word, number = ("at most", most) if least is None else ("at least", least)
        return f"{word} 1 row" if number == 1 else f"{word} {number} rows"

    def plan(self, table: CheckedTable, values: Arguments) -> CheckPlan:
        if not values.has("least") and not values.has("most"):
            raise UserError("A count check needs least, most or both: the numbers of rows.")
        rows = table.record.rows
        fails = values.has("least") and rows < values.integer("least")
        fails |= values.has("most") and rows > values.integer("most")
        return CheckPlan(where=fails, why=f"there are {counted(rows, 'row')}")
