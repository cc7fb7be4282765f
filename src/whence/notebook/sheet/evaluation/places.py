"""Finds the positions of the rows that formulas refer to."""

from __future__ import annotations

import numpy as np

from whence.notebook.sheet.formula.tree import Area, Row, RowOffset
from whence.notebook.sheet.rowset import Rows
from whence.notebook.sheet.state import SheetState

Place = tuple[str, int]
"""A cell: the column's id and the position of the row."""


class ReferencePositions:
    """Resolves the rows of references to their present positions in the sheet."""

    def __init__(self, state: SheetState) -> None:
        self._state = state

    def position(self, row: Row, position: int) -> int | None:
        """Return the position of the row that a formula at `position` refers to; None outside the sheet."""
        if isinstance(row, RowOffset):
            found = position + row.by
            return found if 0 <= found < self._state.order.count else None
        number = self._state.number(row.row)
        return None if number is None else self._state.order.position(number)

    def targets(self, row: Row, positions: Rows) -> Rows:
        """Return the same for formulas at many positions; -1 outside the sheet."""
        if isinstance(row, RowOffset):
            found = positions + row.by
            return np.where((found >= 0) & (found < self._state.order.count), found, -1)
        at = self.position(row, 0)
        return np.full(len(positions), -1 if at is None else at, dtype=np.int64)

    def ends(self, area: Area, position: int) -> tuple[int, int] | None:
        """Return the first and last position of an area; None if it leaves the sheet."""
        if area.first is None or area.last is None:
            return 0, self._state.order.count - 1
        first, last = self.position(area.first, position), self.position(area.last, position)
        return None if first is None or last is None else (min(first, last), max(first, last))
