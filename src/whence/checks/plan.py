"""The plan of a check over one dataset: which rows fail, what their caveats show, and what the caveats are on."""

from __future__ import annotations

from dataclasses import dataclass

from whence.lineage.block import Ids


@dataclass(frozen=True)
class CheckPlan:
    """What a check comes to over the columns of one dataset."""

    where: str | Ids | bool
    """The rows that fail: a SQL condition, or row ids; for a check of the whole dataset, whether it fails."""
    shows: tuple[str, ...] = ()
    """The columns whose values the caveats and the report show."""
    marks: tuple[str, ...] = ()
    """The columns whose cells are in doubt where a row fails; without any, the row is."""
    ends: tuple[str | None, str | None] = (None, None)
    """In SQL, the least and the greatest value that a cell of these columns can rightly have, where the check says."""
    why: str = ""
    """Why the whole dataset fails, in words."""
