"""Drop columns, by name or because too much is missing in them."""

from __future__ import annotations

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable, join_names
from whence.transformations.plan import TransformationPlan
from whence.transformations.transformation import Transformation


class DropColumns(Transformation):
    """Drop the columns named; with `null_rate`, also those of which a larger share is missing."""

    name = "drop_columns"
    title = "Drop columns"
    group = "Query"
    pattern = "projection"
    provenance = "the cells of the columns are deleted"
    parameters = (
        Parameter("columns", "columns", "the columns to drop"),
        Parameter("null_rate", "number", "drop columns of which a larger share is missing"),
    )
    example = {"columns": ["comment"]}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        named = arguments.names("columns")
        if not named and not arguments.has("null_rate"):
            raise UserError("drop_columns needs columns or a null_rate.")
        if not arguments.has("null_rate"):
            return TransformationPlan(f"Dropped {join_names(named)}.", table.outputs(drop=named))
        null_rate = arguments.number("null_rate")
        others = [name for name in table.schema.names if name not in named]
        rates = table.learn(*(f"avg(if({quoted(name)} is null, 1, 0))" for name in others))
        sparse = [
            name for name, rate in zip(others, rates, strict=True) if isinstance(rate, float) and rate > null_rate
        ]
        why = f"Dropped {join_names([*named, *sparse]) or 'nothing'}; missing in more than {null_rate:.0%} of rows."
        return TransformationPlan(why, table.outputs(drop=[*named, *sparse]))
