"""A caveat: a doubt about data, where it sits and who raised it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Caveat:
    """One doubt. `row` and `column` say where it sits: a cell, a row (no column), a column (no row) or the dataset."""

    message: str
    family: str
    row: int | None = None
    column: str | None = None
    line: int | None = None
    text: str | None = None


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
    """Caveats that belong together: the same family, raised by the same dataset's making, on the same column."""

    message: str
    count: int
    family: str
    made_by: str
    column: str | None
    references: tuple[CaveatRef, ...]
