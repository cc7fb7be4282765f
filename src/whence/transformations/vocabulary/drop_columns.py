"""Drop columns, by name or because too much is missing in them."""

from __future__ import annotations

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted
from whence.transformations.applied import Applied
from whence.transformations.chosen import Chosen
from whence.transformations.given import Given, listed
from whence.transformations.transformation import Transformation


class DropColumns(Transformation):
    """Columns named go; with `null_rate`, so do those of which a larger share is missing."""

    name = "drop_columns"
    title = "Drop columns"
    group = "Query"
    core = "projection"
    provenance = "the cells of the columns are deleted"
    parameters = (
        Parameter("columns", "columns", "the columns to drop"),
        Parameter("null_rate", "number", "drop columns of which a larger share is missing"),
    )
    example = {"columns": ["comment"]}

    def apply(self, given: Given, chosen: Chosen) -> Applied:
        named = chosen.names("columns")
        if not named and not chosen.has("null_rate"):
            raise UserError("drop_columns needs columns or a null_rate.")
        if not chosen.has("null_rate"):
            return Applied(f"Dropped {listed(named)}.", given.outputs(drop=named))
        null_rate = chosen.number("null_rate")
        others = [name for name in given.schema.names if name not in named]
        rates = given.learn(*(f"avg(if({quoted(name)} is null, 1, 0))" for name in others))
        sparse = [
            name for name, rate in zip(others, rates, strict=True) if isinstance(rate, float) and rate > null_rate
        ]
        why = f"Dropped {listed([*named, *sparse]) or 'nothing'}; missing in more than {null_rate:.0%} of rows."
        return Applied(why, given.outputs(drop=[*named, *sparse]))
