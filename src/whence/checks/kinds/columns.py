"""The check `columns`: a dataset has the columns expected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from whence.checks.checked_table import CheckedTable
from whence.checks.kind import CheckKind
from whence.checks.plan import CheckPlan
from whence.model.parameter import Parameter
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import join_names


class ColumnsCheck(CheckKind):
    """The dataset has these columns, written in the same letters. It may have others, unless `only` is set."""

    name = "columns"
    parameters = (
        Parameter("columns", "texts", "the columns that it has", is_required=True),
        Parameter("optional", "texts", "those of them that may be missing"),
        Parameter("only", "flag", "whether all other columns are wrong", False),
        Parameter("in_order", "flag", "whether they stand in this order", False),
    )

    def describe(self, values: Arguments) -> str:
        words = "only the columns" if values.flag("only") else "the columns"
        return f"{words} {join_names(values.texts('columns'))}"

    def plan(self, table: CheckedTable, values: Arguments) -> CheckPlan:
        why = ", and ".join(_faults(table.record.schema.names, values))
        return CheckPlan(where=bool(why), why=why)


def _faults(names: Sequence[str], values: Arguments) -> Iterator[str]:
    known, optional = values.texts("columns"), values.texts("optional")
    if missing := [each for each in known if each not in names and each not in optional]:
        yield f"there is no {join_names(missing)}"
    if values.flag("only") and (strangers := [each for each in names if each not in known]):
        yield f"{join_names(strangers)} should not be there"
    if values.flag("in_order") and [each for each in known if each in names] != [
        each for each in names if each in known
    ]:
        yield f"the order is {', '.join(names)}"
