"""Drop rows in which something is missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from whence.pipeline.applied import Applied, Sieve
from whence.pipeline.given import Given, listed
from whence.pipeline.operator import Operator
from whence.plan.sql_text import quoted


class DropMissing(Operator):
    """Rows with a missing value in any (or `how="all"`: in each) of the columns go. NaN is a value."""

    name = "drop_missing"
    title = "Drop rows with missing values"
    core = "selection"
    provenance = "the cells of the rows are deleted"

    def apply(
        self, given: Given, columns: str | Sequence[str] | None = None, how: Literal["any", "all"] = "any"
    ) -> Applied:
        chosen = [column.name for column in given.columns(columns)]
        word = " and " if how == "any" else " or "
        keep = word.join(f"{quoted(name)} is not null" for name in chosen)
        where = "any column" if columns is None else listed(chosen)
        description = f"Dropped rows with {'a' if how == 'any' else 'every'} value of {where} missing."
        return Applied(description, given.outputs(), sieve=Sieve(f"({keep})", tuple(chosen), "missing"))
