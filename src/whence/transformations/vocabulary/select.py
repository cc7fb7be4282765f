"""Keep some columns."""

from __future__ import annotations

from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted
from whence.transformations.applied import Applied, Output
from whence.transformations.chosen import Chosen
from whence.transformations.given import Given, listed
from whence.transformations.transformation import Transformation


class Select(Transformation):
    """The columns named stay, in the order named; the others go."""

    name = "select"
    title = "Select columns"
    group = "Query"
    core = "projection"
    provenance = "cells that stay are themselves; those of other columns are deleted"
    parameters = (Parameter("columns", "columns", "the columns to keep, in this order", is_required=True),)
    example = {"columns": ["name", "age"]}

    def apply(self, given: Given, chosen: Chosen) -> Applied:
        kept = chosen.columns("columns")
        gone = len(given.schema) - len(kept)
        return Applied(
            f"Kept {len(kept)} columns ({listed(column.name for column in kept)}), dropped {gone}.",
            tuple(Output(column.name, quoted(column.name), column.type) for column in kept),
        )
