"""Keep some columns."""

from __future__ import annotations

from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable, join_names
from whence.transformations.plan import Output, TransformationPlan
from whence.transformations.transformation import Transformation


class Select(Transformation):
    """Keep the columns named, in that order."""

    name = "select"
    title = "Select columns"
    group = "Query"
    pattern = "projection"
    provenance = "cells that stay are themselves; those of other columns are deleted"
    parameters = (Parameter("columns", "columns", "the columns to keep, in this order", is_required=True),)
    example = {"columns": ["name", "age"]}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        kept = arguments.columns("columns")
        gone = len(table.schema) - len(kept)
        return TransformationPlan(
            f"Kept {len(kept)} columns ({join_names(column.name for column in kept)}), dropped {gone}.",
            tuple(Output(column.name, quoted(column.name), column.type) for column in kept),
        )
