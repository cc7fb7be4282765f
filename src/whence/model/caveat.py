"""A caveat: a stated doubt about data, with its place and its origin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from whence.model.ids import DatasetId

EXCHANGED_DAY = "day and month exchanged"
"""Both ends of a caveat about a whole column of dates: each doubtful one could have its day and month exchanged."""


@dataclass(frozen=True)
class Caveat:
    """One stated doubt about a cell, a row (no `column`), a column (no `row`) or the dataset (neither)."""

    message: str
    family: str
    row: int | None = None
    column: str | None = None
    line: int | None = None
    text: str | None = None
    site: int | None = None
    """The number of the `caveat(...)` call in the dataset's own query that raised it, if one did."""
    low: str | None = None
    high: str | None = None
    """Between which values the cell lies, as text of its type, where that is stated."""


@dataclass(frozen=True)
class CaveatRef:
    """The place of one caveat of a group."""

    dataset: str
    version: int
    row: int | None
    column: str | None
    line: int | None
    text: str | None
    message: str


@dataclass(frozen=True)
class CaveatGroup:
    """Caveats of the same family, raised when the same dataset was made, on the same column.

    `message` is one of their messages. `messages` has all of them if there are at most three, else only that one.
    `ending` is the text with which all of the messages end, where that is known for more places than it names.
    `places` are their numbers among the caveats of the dataset version `dataset`, by which they can be acknowledged.
    """

    message: str
    count: int
    family: str
    made_by: str
    column: str | None
    references: tuple[CaveatRef, ...]
    messages: tuple[str, ...] = ()
    acknowledged: bool = False
    note: str = ""
    dataset: DatasetId | None = None
    places: Sequence[int] = field(default=(), compare=False, repr=False)
    ending: str = field(default="", compare=False, repr=False)
