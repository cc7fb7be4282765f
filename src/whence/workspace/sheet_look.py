"""A sheet as somebody looks at it: all of its rows, or those for which a condition holds; nothing is changed by it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from whence.model.errors import BadInput, UnknownColumn
from whence.notebook.sheet.log import SheetLog
from whence.notebook.sheet.page import SheetPage, page_of
from whence.notebook.sheet.places import Direction, Places, cells_with, counted, doubtful_cells, doubts, edits, nearest
from whence.notebook.sheet.rowset import Rows
from whence.notebook.sheet.summary import Summary, summary


@dataclass(frozen=True)
class FoundCell:
    """A cell by its place in what is looked at, and whether the search went round the end."""

    row: int
    column: str
    wrapped: bool


@dataclass(frozen=True)
class SheetDensity:
    """Doubtful and edited cells by stretches of rows; stretch i begins at row `starts[i]`."""

    starts: list[int]
    doubts: list[int]
    edits: list[int]


class SheetLook:
    """Rows are counted within what is looked at."""

    def __init__(self, log: SheetLog, positions: Rows) -> None:
        self._log = log
        self._positions = positions

    @property
    def count(self) -> int:
        """How many rows."""
        return len(self._positions)

    def page(self, start: int, stop: int) -> SheetPage:
        """What rows start..stop-1 show."""
        return page_of(self._log, self._positions[start:stop], start)

    def density(self, buckets: int) -> SheetDensity:
        """Where doubts and edits lie."""
        starts, doubtful = counted(self.count, buckets, doubts(self._log, self._positions))
        _, edited = counted(self.count, buckets, edits(self._log, self._positions))
        return SheetDensity(starts, doubtful, edited)

    def next_doubt(self, row: int | None, column: str | None, direction: Direction) -> FoundCell | None:
        """The nearest cell in doubt."""
        return self._nearest(row, column, direction, doubtful_cells)

    def find(self, text: str, row: int | None, column: str | None, direction: Direction) -> FoundCell | None:
        """The nearest cell that shows a text."""
        if not text:
            raise BadInput("There is no text to look for.", "Give at least one character.")
        return self._nearest(row, column, direction, cells_with(text))

    def summary(self, start: int, stop: int, columns: Iterable[str]) -> Summary:
        """What the cells of rows start..stop-1 come to in these columns."""
        chosen = [self._log.state.shown[self._place(column)] for column in columns]
        return summary(self._log, self._positions[start:stop], chosen)

    def _nearest(self, row: int | None, column: str | None, direction: Direction, what: Places) -> FoundCell | None:
        here = None if row is None or column is None else (row, self._place(column))
        found = nearest(self._log, self._positions, here, direction, what)
        if found is None:
            return None
        name = self._log.state.columns[self._log.state.shown[found[1]]].name
        return FoundCell(found[0], name, found[2])

    def _place(self, column: str) -> int:
        state = self._log.state
        names = [state.columns[each].name.lower() for each in state.shown]
        if column.lower() not in names:
            raise UnknownColumn(f"The sheet has no column {column}.")
        return names.index(column.lower())


class SheetLooks:
    """The last look at a sheet, known until it changes: a condition over ten million rows takes a moment."""

    def __init__(self) -> None:
        self._key: tuple[int, int, str | None] | None = None
        self._look: SheetLook | None = None

    def at(self, log: SheetLog, where: str | None, choose: Callable[[str], Rows]) -> SheetLook:
        """The rows for which the condition holds, or all."""
        key = id(log.state), log.state.version, where
        if self._look is None or self._key != key:
            every = np.arange(log.state.order.count, dtype=np.int64)
            self._key, self._look = key, SheetLook(log, every if where is None else choose(where))
        return self._look
