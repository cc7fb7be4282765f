"""In which order a sheet shows its rows: a row keeps its number, its position changes. Never changed in place."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

import numpy as np

from whence.notebook.sheet.rowset import Rows

_FEW = 8
_OFTEN = 16
"""Searches after which it pays to write down where every row is."""


class Order:
    """Row numbers by position; without a list, row i is at position i."""

    def __init__(self, count: int, rows: Rows | None = None) -> None:
        self.count = count
        self._rows = rows
        self._asked = 0

    @property
    def is_plain(self) -> bool:
        """Nothing was moved, added or taken away."""
        return self._rows is None

    @cached_property
    def rows(self) -> Rows:
        """All row numbers, by position."""
        return np.arange(self.count, dtype=np.int64) if self._rows is None else self._rows

    def at(self, start: int, stop: int) -> Rows:
        """The row numbers of these positions."""
        if self._rows is None:
            return np.arange(start, max(start, min(stop, self.count)), dtype=np.int64)
        return self._rows[start:stop]

    def take(self, positions: Rows) -> Rows:
        """The row numbers of these positions, each of which is there."""
        return positions if self._rows is None else self._rows[positions]

    def row(self, position: int) -> int:
        """The row number at a position that is there."""
        return position if self._rows is None else int(self._rows[position])

    def position(self, row: int) -> int | None:
        """Where a row is, if it is in the sheet."""
        found = int(self.positions(np.array([row], dtype=np.int64))[0])
        return None if found < 0 else found

    def positions(self, rows: Rows) -> Rows:
        """Where these rows are; -1 for those that are not in the sheet."""
        if self._rows is None:
            return np.where(rows < self.count, rows, -1)
        self._asked += 1
        if len(rows) <= _FEW and self._asked <= _OFTEN and "_places" not in self.__dict__:
            found = [np.flatnonzero(self._rows == row) for row in rows]
            return np.array([each[0] if len(each) else -1 for each in found], dtype=np.int64)
        inside = rows < len(self._places)
        return np.where(inside, self._places[np.where(inside, rows, 0)], -1) if len(self._places) else rows * 0 - 1

    @cached_property
    def _places(self) -> Rows:
        places = np.full(int(self.rows.max()) + 1 if self.count else 0, -1, dtype=np.int64)
        places[self.rows] = np.arange(self.count, dtype=np.int64)
        return places

    def with_rows(self, position: int, rows: Rows) -> Order:
        """With these rows put before a position."""
        return Order(self.count + len(rows), np.concatenate([self.rows[:position], rows, self.rows[position:]]))

    def without(self, positions: Rows) -> Order:
        """Without the rows at these positions."""
        kept = self._but(positions)
        return Order(len(kept), kept)

    def moved(self, positions: Rows, to: int) -> Order:
        """With the rows at these positions put before a position of the order as it is now."""
        moving = self.rows[positions]
        target = to - int((positions < to).sum())
        rest = self._but(positions)
        return Order(self.count, np.concatenate([rest[:target], moving, rest[target:]]))

    def _but(self, positions: Rows) -> Rows:
        """Without these; one or two are cut out, which is copying and nothing else."""
        if len(positions) > _FEW:
            return np.delete(self.rows, positions)
        cuts = [-1, *positions.tolist(), self.count]
        pieces = [self.rows[low + 1 : high] for low, high in pairwise(cuts)]
        return np.concatenate(pieces)

    def chosen(self, positions: Rows) -> Order:
        """Only these positions, in the order given."""
        return Order(len(positions), self.rows[positions])
