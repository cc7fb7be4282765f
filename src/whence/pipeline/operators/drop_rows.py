"""Drop rows by a condition or because too much is missing in them."""

from __future__ import annotations

from whence.model.errors import UserError
from whence.pipeline.applied import Applied, Sieve
from whence.pipeline.given import Given
from whence.pipeline.operator import Operator
from whence.plan.sql_text import quoted


class DropRows(Operator):
    """Rows for which the condition holds go, or those of which a larger share than `null_rate` is missing."""

    name = "drop_rows"
    title = "Drop rows"
    core = "selection"
    provenance = "the cells of the rows are deleted"

    def apply(self, given: Given, condition: str | None = None, null_rate: float | None = None) -> Applied:
        if (condition is None) == (null_rate is None):
            raise UserError("drop_rows needs a condition or a null_rate.")
        if condition is None:
            missing = " + ".join(f"if({quoted(name)} is null, 1, 0)" for name in given.schema.names)
            keep = f"({missing}) <= {float(null_rate or 0)} * {len(given.schema)}"
            said = f"more than {null_rate:.0%} of its values are missing"
            sieve = Sieve(keep, given.schema.names, "mostly missing", said)
            return Applied(f"Dropped rows where {said}.", given.outputs(), sieve=sieve)
        reads = given.expression(condition, self.name)
        if reads.type != "boolean" or not reads.is_repeatable:
            raise UserError(f"{condition} is no condition that always decides the same.", "For example: age > 18.")
        sieve = Sieve(f"not coalesce(({condition}), false)", reads.columns, said=f"not ({condition})")
        return Applied(f"Dropped rows where {condition}.", given.outputs(), sieve=sieve)
