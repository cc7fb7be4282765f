"""Drop rows by a condition or because too much is missing in them."""

from __future__ import annotations

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted
from whence.transformations.applied import Applied, Sieve
from whence.transformations.chosen import Chosen
from whence.transformations.given import Given
from whence.transformations.transformation import Transformation


class DropRows(Transformation):
    """Rows for which the condition holds go, or those of which a larger share than `null_rate` is missing."""

    name = "drop_rows"
    title = "Drop rows"
    group = "Query"
    core = "selection"
    provenance = "the cells of the rows are deleted"
    parameters = (
        Parameter("condition", "text", "drop the rows for which this holds, in SQL"),
        Parameter("null_rate", "number", "drop rows of which a larger share is missing"),
    )
    example = {"condition": "age < 0"}

    def apply(self, given: Given, chosen: Chosen) -> Applied:
        condition = chosen.maybe("condition")
        if (condition is None) != chosen.has("null_rate"):
            raise UserError("drop_rows needs a condition or a null_rate.")
        if condition is None:
            null_rate = chosen.number("null_rate")
            missing = " + ".join(f"if({quoted(name)} is null, 1, 0)" for name in given.schema.names)
            keep = f"({missing}) <= {float(null_rate)} * {len(given.schema)}"
            said = f"more than {null_rate:.0%} of its values are missing"
            sieve = Sieve(keep, given.schema.names, "mostly missing", said)
            return Applied(f"Dropped rows where {said}.", given.outputs(), sieve=sieve)
        reads = given.expression(condition, self.name)
        if reads.type != "boolean" or not reads.is_repeatable:
            raise UserError(f"{condition} is no condition that always decides the same.", "For example: age > 18.")
        sieve = Sieve(f"not coalesce(({condition}), false)", reads.columns, said=f"not ({condition})")
        return Applied(f"Dropped rows where {condition}.", given.outputs(), sieve=sieve)
