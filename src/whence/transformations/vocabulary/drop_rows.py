"""Drop rows by a condition or because too much is missing in them."""

from __future__ import annotations

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable
from whence.transformations.plan import RowFilter, TransformationPlan
from whence.transformations.transformation import Transformation


class DropRows(Transformation):
    """Drop the rows for which the condition holds, or those of which a larger share than `null_rate` is missing."""

    name = "drop_rows"
    title = "Drop rows"
    group = "Query"
    pattern = "selection"
    provenance = "the cells of the rows are deleted"
    parameters = (
        Parameter("condition", "condition", "drop the rows for which this holds, in SQL"),
        Parameter("null_rate", "number", "drop rows of which a larger share is missing"),
    )
    example = {"condition": "age < 0"}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        condition = arguments.maybe("condition")
        if (condition is None) != arguments.has("null_rate"):
            raise UserError("drop_rows needs a condition or a null_rate.")
        if condition is None:
            null_rate = arguments.number("null_rate")
            missing = " + ".join(f"if({quoted(name)} is null, 1, 0)" for name in table.schema.names)
            keep = f"({missing}) <= {float(null_rate)} * {len(table.schema)}"
            phrases = f"more than {null_rate:.0%} of its values are missing"
            row_filter = RowFilter(keep, table.schema.names, "mostly missing", phrases)
            return TransformationPlan(f"Dropped rows where {phrases}.", table.outputs(), row_filter=row_filter)
        reads = table.expression(condition, self.name)
        if reads.type != "boolean" or not reads.is_repeatable:
            raise UserError(f"{condition} is no condition that always decides the same.", "For example: age > 18.")
        # A row for which the condition is unknown stays.
        row_filter = RowFilter(f"not coalesce(({condition}), false)", reads.columns, words=f"not ({condition})")
        return TransformationPlan(f"Dropped rows where {condition}.", table.outputs(), row_filter=row_filter)
