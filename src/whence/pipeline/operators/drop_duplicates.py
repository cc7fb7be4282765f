"""Drop rows that repeat an earlier one."""

from __future__ import annotations

from collections.abc import Sequence

from whence.pipeline.applied import HELPER, Applied, Sieve
from whence.pipeline.given import RID, Given, listed
from whence.pipeline.operator import Operator
from whence.plan.sql_text import quoted


class DropDuplicates(Operator):
    """Of rows with equal values (in the columns named, or in all) the first stays. Missing equals missing."""

    name = "drop_duplicates"
    title = "Drop repeated rows"
    core = "selection"
    provenance = "the first of equal rows is itself, the cells of the others are deleted"

    def apply(self, given: Given, columns: str | Sequence[str] | None = None) -> Applied:
        chosen = [column.name for column in given.columns(columns)]
        same = ", ".join(quoted(name) for name in chosen)
        helper = f"row_number() over (partition by {same} order by {RID})"
        sieve = Sieve(f"{HELPER} = 1", tuple(chosen), "repeated", helper=helper)
        where = "" if columns is None else f" in {listed(chosen)}"
        return Applied(f"Dropped rows that repeat an earlier one{where}.", given.outputs(), sieve=sieve)
