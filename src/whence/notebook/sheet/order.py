"""The order in which a sheet shows its rows, immutable. A row keeps its number; only its position changes.

An order is a sequence of pieces: ranges of consecutive row numbers, and slices of lists that a sort or a filter made.
Inserting or deleting a row cuts a piece in two, however many rows there are. Orders share their lists.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import accumulate

import numpy as np

from whence.notebook.sheet.row_list import RowList
from whence.notebook.sheet.rowset import Rows

_FEW = 64
"""Up to this many rows are deleted or moved by cutting pieces; for more, the order becomes one list of all rows."""
_MOST_PIECES = 2_000
"""With more pieces the order becomes one list: lookups go through all pieces."""

Piece = tuple[RowList | None, int, int]
"""A list, and start and end of a slice of it; without a list, start and end of a range of row numbers."""


class Order:
    """Row numbers by position. Without a list of rows, row i is at position i."""

    def __init__(self, count: int, rows: Rows | None = None) -> None:
        whole: Piece = (None if rows is None else RowList(rows), 0, count)
        self.is_plain = rows is None
        """Whether nothing was ever moved, inserted or deleted: these are the rows of the data, all of them."""
        self.count = count
        self._pieces: list[Piece] = [whole] if count else []

    @classmethod
    def _of(cls, pieces: Iterable[Piece]) -> Order:
        joined = list(_joined(pieces))
        made = cls(0)
        made.count, made._pieces, made.is_plain = sum(stop - start for _, start, stop in joined), joined, False
        return made if len(joined) <= _MOST_PIECES else cls(made.count, made.rows)

    @property
    def stretches(self) -> list[tuple[int, int]] | None:
        """The order as ranges of consecutive row numbers, the end excluded; None if a piece is a slice of a list."""
        found = [(start, stop) for listed, start, stop in self._pieces if listed is None]
        return found if len(found) == len(self._pieces) else None

    @property
    def lists(self) -> frozenset[RowList]:
        """The lists that pieces are slices of: these take the memory of an order."""
        return frozenset(listed for listed, _, _ in self._pieces if listed is not None)

    @property
    def rows(self) -> Rows:
        """All row numbers, by position."""
        return self._written_out

    def let_go(self) -> None:
        """Drop the cached array of all row numbers, which can be computed again."""
        self.__dict__.pop("_written_out", None)  # where `cached_property` keeps it

    @cached_property
    def _written_out(self) -> Rows:
        found = [_numbers(piece) for piece in self._pieces]
        return found[0] if len(found) == 1 else np.concatenate(found) if found else np.empty(0, dtype=np.int64)

    @cached_property
    def _starts(self) -> list[int]:
        """The position at which each piece begins, and the number of rows."""
        return [0, *accumulate(stop - start for _, start, stop in self._pieces)]

    def at(self, start: int, stop: int) -> Rows:
        """Return the row numbers at positions start..stop-1, as far as they exist."""
        return self.take(np.arange(start, max(start, min(stop, self.count)), dtype=np.int64))

    def take(self, positions: Rows) -> Rows:
        """Return the row numbers at these positions, each of which must exist."""
        if self.is_plain or not len(positions):
            return positions
        number = np.searchsorted(self._starts, positions, side="right") - 1
        firsts = np.array([start for _, start, _ in self._pieces], dtype=np.int64)
        places = positions - np.array(self._starts, dtype=np.int64)[number] + firsts[number]
        for listed in self.lists:
            mine = np.array([each is listed for each, _, _ in self._pieces])[number]
            places[mine] = listed.rows[places[mine]]
        return places

    def row(self, position: int) -> int:
        """Return the row number at a position, which must exist."""
        number = bisect_right(self._starts, position) - 1
        listed, start, _ = self._pieces[number]
        place = start + position - self._starts[number]
        return place if listed is None else int(listed.rows[place])

    def position(self, row: int) -> int | None:
        """Return the position of a row; None if it is not in the sheet."""
        if self.is_plain:
            return row if row < self.count else None
        found = int(self.positions(np.array([row], dtype=np.int64))[0])
        return None if found < 0 else found

    def positions(self, rows: Rows) -> Rows:
        """Return the positions of these rows; -1 for those that are not in the sheet."""
        found = np.full(len(rows), -1, dtype=np.int64)
        for listed in (None, *self.lists):  # a row is in one piece at most, so that the maximum is its position
            places = rows if listed is None else listed.places(rows)
            found = np.maximum(found, self._among(listed, places))
        return found

    def _among(self, listed: RowList | None, places: Rows) -> Rows:
        """Return the positions of places in a list; -1 for places that are in no piece of it."""
        mine = [(piece[1], piece[2], at) for piece, at in zip(self._pieces, self._starts, strict=False)]
        mine = sorted(each for each, piece in zip(mine, self._pieces, strict=True) if piece[0] is listed)
        if not mine:
            return np.full(len(places), -1, dtype=np.int64)
        starts, stops, positions = np.array(mine, dtype=np.int64).T
        number = np.searchsorted(starts, places, side="right") - 1
        inside = (number >= 0) & (places < stops[number])
        return np.where(inside, positions[number] + places - starts[number], -1)

    def with_rows(self, position: int, rows: Rows) -> Order:
        """Return the order with these rows inserted before a position."""
        before, after = self._cut(position)
        return Order._of([*before, _piece_of(rows), *after])

    def without(self, positions: Rows) -> Order:
        """Return the order without the rows at these sorted positions."""
        if len(positions) > _FEW:
            kept = np.delete(self.rows, positions)
            return Order(len(kept), kept)
        left = self
        for position in reversed(positions.tolist()):  # from the end, so that earlier positions stay valid
            before, _ = left._cut(position)
            _, after = left._cut(position + 1)
            left = Order._of([*before, *after])
        return left

    def moved(self, positions: Rows, to: int) -> Order:
        """Return the order with the rows at these sorted positions moved before a position of the present order."""
        target = to - int((positions < to).sum())  # rows that are taken away above it let it move up
        return self.without(positions).with_rows(target, self.take(positions))

    def select(self, positions: Rows) -> Order:
        """Return an order of the rows at these positions only, as they are given."""
        return Order(len(positions), self.take(positions))

    def _cut(self, position: int) -> tuple[list[Piece], list[Piece]]:
        number = bisect_right(self._starts, position) - 1
        if number >= len(self._pieces):
            return self._pieces, []
        listed, start, stop = self._pieces[number]
        middle = start + position - self._starts[number]
        before, after = (listed, start, middle), (listed, middle, stop)
        return [*self._pieces[:number], before], [after, *self._pieces[number + 1 :]]


def _numbers(piece: Piece) -> Rows:
    listed, start, stop = piece
    return np.arange(start, stop, dtype=np.int64) if listed is None else listed.rows[start:stop]


def _piece_of(rows: Rows) -> Piece:
    is_run = len(rows) > 0 and bool((np.diff(rows) == 1).all())
    return (None, int(rows[0]), int(rows[-1]) + 1) if is_run else (RowList(rows), 0, len(rows))


def _joined(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Yield the pieces without empty ones; a piece that continues the one before is joined to it."""
    last: Piece | None = None
    for piece in pieces:
        if piece[1] == piece[2]:
            continue
        if last is not None and last[0] is piece[0] and last[2] == piece[1]:
            last = (last[0], last[1], piece[2])
            continue
        if last is not None:
            yield last
        last = piece
    if last is not None:
        yield last
