"""A caveat: a doubt about data, where it sits and who raised it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from whence.model.ids import DatasetId


@dataclass(frozen=True)
class Caveat:
    """One doubt. `row` and `column` say where it sits: a cell, a row (no column), a column (no row) or the dataset."""

    message: str
    family: str
    row: int | None = None
    column: str | None = None
    line: int | None = None
    text: str | None = None
    site: int | None = None
    """Which `caveat` of the dataset's own query raised it, if one did."""


@dataclass(frozen=True)
class CaveatRef:
    """Where one caveat of a group sits."""

    dataset: str
    version: int
    row: int | None
    column: str | None
    line: int | None
    text: str | None
    message: str


@dataclass(frozen=True)
class CaveatGroup:
    """Caveats that belong together: the same family, raised by the same dataset's making, on the same column.

    `message` is one of them; `messages` all of them if they are three at most, else only that one. `places` are their
    numbers among the caveats of the dataset version `dataset`, by which they can be acknowledged.
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
