"""`SheetLook`: a read-only view of a sheet, of all its rows or of those for which a condition holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from whence.model.errors import BadInput, UnknownColumn
from whence.notebook.sheet.distinct import DistinctValues, ValueCount, distinct
from whence.notebook.sheet.log import SheetLog
from whence.notebook.sheet.page import SheetPage, page_of
from whence.notebook.sheet.places import Direction, Places, counted, doubtful, edited, nearest, nearest_text, within
from whence.notebook.sheet.rowset import Rows
from whence.notebook.sheet.summary import Summary, summary
from whence.transformations.clusters import KEYS, by_distance, by_key

MOST_CLUSTERED = 50_000
"""A column with more distinct values is not clustered: comparing them would take too long."""
RADIUS = 2
"""Values whose edit distance is at most this many letters may be the same."""


@dataclass(frozen=True)
class FoundCell:
    """A cell that a search found, by its row in the view, and whether the search wrapped around the end."""

    row: int
    column: str
    wrapped: bool


@dataclass(frozen=True)
class SheetDensity:
    """Counts of doubtful and of edited cells by ranges of rows. Range i begins at row `starts[i]`."""

    starts: list[int]
    doubts: list[int]
    edits: list[int]


class SheetLook:
    """Some rows of a sheet, in order. Row numbers count within these rows, not within the sheet."""

    def __init__(self, log: SheetLog, positions: Rows) -> None:
        self._log = log
        self._positions = positions

    @property
    def count(self) -> int:
        """The number of rows."""
        return len(self._positions)

    def page(self, start: int, stop: int) -> SheetPage:
        """Return what rows start..stop-1 show."""
        return page_of(self._log, self._positions[start:stop], start)

    def density(self, buckets: int) -> SheetDensity:
        """Count the doubtful and the edited cells in about so many ranges of rows."""
        starts, doubts = counted(self.count, buckets, self._doubts)
        _, edits = counted(self.count, buckets, self._here(edited(self._log)))
        return SheetDensity(starts, doubts, edits)

    def next_doubt(self, row: int | None, column: str | None, direction: Direction) -> FoundCell | None:
        """Return the nearest cell in doubt, before or after a cell."""
        return self._as_found_cell(nearest(self._doubts, self._at(row, column), direction))

    def find(self, text: str, row: int | None, column: str | None, direction: Direction) -> FoundCell | None:
        """Return the nearest cell that contains a text, before or after a cell."""
        if not text:
            raise BadInput("There is no text to look for.", "Give at least one character.")
        return self._as_found_cell(nearest_text(self._log, self._positions, text, self._at(row, column), direction))

    def summary(self, start: int, stop: int, columns: Iterable[str]) -> Summary:
        """Summarise the cells of rows start..stop-1 in these columns."""
        chosen = [self._log.state.shown[self._place(column)] for column in columns]
        return summary(self._log, self._positions[start:stop], chosen)

    def values(self, column: str, most: int = 200, containing: str = "") -> DistinctValues:
        """Return the distinct values of a column with their counts, the most frequent first."""
        return distinct(self._log, self._positions, self._log.state.shown[self._place(column)], most, containing)

    def clusters(self, column: str, method: str) -> list[list[ValueCount]]:
        """Group values of a column that are probably the same, by spelling or sound. The largest group comes first."""
        found = self.values(column, MOST_CLUSTERED)
        if found.count > MOST_CLUSTERED:
            raise BadInput(
                f"{column} has {found.count:,} different values: too many to compare.", f"At most {MOST_CLUSTERED:,}."
            )
        counts = {each.text: each.count for each in found.values if each.text is not None}
        if method != "distance" and method not in KEYS:
            raise BadInput(f"Values cannot be compared by {method}.", f"Take {', '.join(KEYS)} or distance.")
        groups = by_distance(counts, RADIUS) if method == "distance" else by_key(counts, KEYS[method])
        clusters = [[ValueCount(text, counts[text]) for text in group] for group in groups]
        return sorted(clusters, key=lambda group: -sum(each.count for each in group))

    @cached_property
    def _doubts(self) -> Places:
        return self._here(doubtful(self._log))

    def _here(self, places: Places) -> Places:
        return within(places, self._positions, self._log.state.order.count)

    def _at(self, row: int | None, column: str | None) -> tuple[int, int] | None:
        return None if row is None or column is None else (row, self._place(column))

    def _as_found_cell(self, found: tuple[int, int, bool] | None) -> FoundCell | None:
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
    """A cache of one entry: the last view of a sheet, until the sheet or the doubt flags of its data change.

    Evaluating the condition of a view takes a moment, and a page asks for the same view again and again.
    """

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()
        self._look: SheetLook | None = None
        self._every: Rows = np.zeros(0, dtype=np.int64)

    def at(self, log: SheetLog, where: str | None, choose: Callable[[str], Rows]) -> SheetLook:
        """Return the view of the rows for which the condition holds, or of all rows."""
        key = log.state, log.state.version, log.state.source.flag_masks, where
        if self._look is None or not _is_same(self._key, key):
            self._key, self._look = key, SheetLook(log, self._all(log) if where is None else choose(where))
        return self._look

    def _all(self, log: SheetLog) -> Rows:
        """Return the positions of all rows, cached: for ten million rows, building them takes longer than a page."""
        if len(self._every) != log.state.order.count:
            self._every = np.arange(log.state.order.count, dtype=np.int64)
        return self._every


def _is_same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Return whether two keys agree: numbers and texts by value, objects by identity, which needs no hash."""
    return len(one) == len(other) and all(
        mine is theirs or (isinstance(mine, int | str) and mine == theirs)
        for mine, theirs in zip(one, other, strict=True)
    )
