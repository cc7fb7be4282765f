"""Keep some columns."""

from __future__ import annotations

from collections.abc import Sequence

from whence.pipeline.applied import Applied, Output
from whence.pipeline.given import Given, listed
from whence.pipeline.operator import Operator
from whence.plan.sql_text import quoted


class Select(Operator):
    """The columns named stay, in the order named; the others go."""

    name = "select"
    title = "Select columns"
    core = "projection"
    provenance = "cells that stay are themselves; those of other columns are deleted"

    def apply(self, given: Given, columns: Sequence[str]) -> Applied:
        kept = given.columns(columns)
        gone = len(given.schema) - len(kept)
        return Applied(
            f"Kept {len(kept)} columns ({listed(column.name for column in kept)}), dropped {gone}.",
            tuple(Output(column.name, quoted(column.name), column.type) for column in kept),
        )
