"""The words of a caveat report, the same in every format."""

from __future__ import annotations

from whence.caveats.facts import MOST_PLACES, Assumption, share
from whence.model.caveat import CaveatGroup, CaveatRef
from whence.model.dataset import DatasetRecord

PROMISE = (
    "What is not marked is certain, given that the assumptions below are the only doubtful ones. A doubtful cell could "
    "hold any value; a doubtful row could be absent."
)

NEVER_DATA = "What was never data"
"""The heading over values that are written in a query; a report without any leaves it out."""

MOST_GUESSED = "The numbers that depend most on guesses"
"""The heading over the numbers with the widest bounds."""
GIVEN = "Between which values each lies, given what caveats state."

_KINDS = {
    "load": "found while loading",
    "user": "stated by a person",
    "imputed": "guessed for a missing value",
    "coarse": "passed on by a step without rules",
    "lineage": "a note on lineage",
    "missing": "rows may be missing",
}


def kind(group: CaveatGroup) -> str:
    """The family, in words."""
    return _KINDS.get(group.family, group.family)


def describe_origin(group: CaveatGroup) -> str:
    """What raised it, and in which column."""
    return f"{group.made_by}, column {group.column}" if group.column else group.made_by


def depends(each: Assumption, record: DatasetRecord) -> str:
    """How much of the dataset depends on it."""
    cells, rows = record.rows * len(record.schema), record.rows
    said = [f"{share(each.cells, cells)} cells"] if each.cells else []
    said += [f"{share(each.rows, rows)} rows"] if each.rows else []
    said += ["which rows are there at all"] if each.may_miss_rows else []
    return ", ".join(said) or "nothing"


def places(group: CaveatGroup) -> list[str]:
    """Some of the places it sits in."""
    shown = [_place(ref) for ref in group.references[:MOST_PLACES] if ref.row is not None]
    hidden = group.count - len(shown)
    return [*shown, f"and {hidden:,} more"] if shown and hidden else shown


def _place(ref: CaveatRef) -> str:
    at = f"line {ref.line}" if ref.line is not None else f"row {ref.row}"
    column = f", {ref.column}" if ref.column else ""
    return f"{ref.dataset}@{ref.version} {at}{column}: {ref.message}"
