"""Keep the rows that meet a condition."""

from __future__ import annotations

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.transformations.applied import Applied, Sieve
from whence.transformations.chosen import Chosen
from whence.transformations.given import Given
from whence.transformations.transformation import Transformation


class Filter(Transformation):
    """Rows for which the condition holds stay; where it is unknown, as of a missing value, the row goes."""

    name = "filter"
    title = "Keep rows"
    group = "Query"
    core = "selection"
    provenance = "cells of rows that stay are themselves, and the condition is no source of them"
    parameters = (Parameter("condition", "text", "keep the rows for which this holds, in SQL", is_required=True),)
    example = {"condition": "age > 18"}

    def apply(self, given: Given, chosen: Chosen) -> Applied:
        condition = chosen.text("condition")
        reads = _condition(given, condition, self.name)
        sieve = Sieve(f"({condition})", reads, said=condition)
        return Applied(f"Kept rows where {condition}.", given.outputs(), sieve=sieve)


def _condition(given: Given, condition: str, what: str) -> tuple[str, ...]:
    reads = given.expression(condition, what)
    if reads.type != "boolean":
        raise UserError(f"{condition} is no condition, it gives {reads.type}.", "For example: age > 18.")
    if not reads.is_repeatable:
        raise UserError(f"{condition} may decide otherwise next time.", "Use sample, with a seed.")
    return reads.columns
