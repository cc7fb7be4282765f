"""Keep the rows that meet a condition."""

from __future__ import annotations

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable
from whence.transformations.plan import RowFilter, TransformationPlan
from whence.transformations.transformation import Transformation


class Filter(Transformation):
    """Keep the rows for which the condition holds; a row for which it is unknown, because a value is missing, goes."""

    name = "filter"
    title = "Keep rows"
    group = "Query"
    pattern = "selection"
    provenance = "cells of rows that stay are themselves, and the condition is no source of them"
    parameters = (Parameter("condition", "condition", "keep the rows for which this holds, in SQL", is_required=True),)
    example = {"condition": "age > 18"}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        condition = arguments.text("condition")
        reads = _condition(table, condition, self.name)
        row_filter = RowFilter(f"({condition})", reads, words=condition)
        return TransformationPlan(f"Kept rows where {condition}.", table.outputs(), row_filter=row_filter)


def _condition(table: InputTable, condition: str, what: str) -> tuple[str, ...]:
    reads = table.expression(condition, what)
    if reads.type != "boolean":
        raise UserError(f"{condition} is no condition, it gives {reads.type}.", "For example: age > 18.")
    if not reads.is_repeatable:
        raise UserError(f"{condition} may decide otherwise next time.", "Use sample, with a seed.")
    return reads.columns
