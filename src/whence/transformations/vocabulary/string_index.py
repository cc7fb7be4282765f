"""Number the values of text columns."""

from __future__ import annotations

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable, join_names
from whence.transformations.plan import TransformationPlan
from whence.transformations.sql import lookup, quoted
from whence.transformations.template import Read, Statistic, Template
from whence.transformations.transformation import Transformation

_MOST = 10_000


class StringIndex(Transformation):
    """Number the values of a column in `column_index`, from 0 for the most frequent; of equally frequent ones the
    smaller text comes first. A missing value has no number. The column goes, unless `keep=True`."""

    name = "string_index"
    title = "Index strings"
    group = "Prepare"
    pattern = "vertical augmentation"
    provenance = "a new cell comes from the cell that was numbered and from the order, which comes from the column"
    parameters = (
        Parameter("columns", "columns", "the columns whose values are numbered", is_required=True),
        Parameter("keep", "flag", "whether the columns themselves stay", False),
    )
    example = {"columns": ["colour"]}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        names, keep = arguments.names("columns"), arguments.flag("keep")
        added: dict[str, str] = {}
        templates = []
        for name in names:
            value = f"cast({quoted(name)} as string)"
            rows = table.ask(
                f"select {value} as v, count(*) as n from {table.view} where {quoted(name)} is not null "
                f"group by 1 order by 2 desc, 1 limit {_MOST + 1}"
            )
            if len(rows) > _MOST:
                raise UserError(f"{name} has more than {_MOST:,} values to number.")
            order = [str(row["v"]) for row in rows]
            numbers = {each: str(number) for number, each in enumerate(order)}
            new = table.new_name(f"{name}_index", added)
            added[new] = f"cast({lookup(value, numbers)} as int)"
            learned = Statistic(f"order of the values of {name}", (name,), order, non_null=(name,))
            templates.append(Template((Read(name),), (new,), (learned,)))
        return TransformationPlan(
            f"Numbered the values of {join_names(names)}.",
            table.outputs(drop=() if keep else names, added=added),
            tuple(templates),
        )
