"""Leaves: the values of cells that need no computing, from the data or as they were typed."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from whence.notebook.sheet.content import Blank, Content, Copy, Invalid, Value
from whence.notebook.sheet.evaluation.column_types import ColumnTypes
from whence.notebook.sheet.rowset import Rows
from whence.notebook.sheet.source import plain
from whence.notebook.sheet.state import SheetColumn, SheetState


class Leaves:
    """Reads the values and errors of cells. A cell with a formula reads as None here."""

    def __init__(self, state: SheetState, types: ColumnTypes) -> None:
        self._state = state
        self._types = types
        self._ahead: tuple[Rows, pa.Table | None] = (np.empty(0, dtype=np.int64), None)

    def look_ahead(self, positions: Rows) -> None:
        """Read the data of these rows for all columns at once: the cost of a page is row groups, not columns."""
        rows = self._state.order.take(positions)
        rows = rows[rows < self._state.source.rows]
        shown = (self._state.columns[column].base for column in self._state.shown)
        self._ahead = rows, self._state.source.table(rows, list(dict.fromkeys(base for base in shown if base)))

    def at(self, column: SheetColumn, positions: Rows) -> list[object]:
        """Return the values of a column in the rows at these positions."""
        return self.of_rows(column, self._state.order.take(positions))

    def of_rows(self, column: SheetColumn, rows: Rows) -> list[object]:
        """Return the values of a column in the rows with these numbers."""
        codes, contents = column.coded(rows)
        values: list[object] = [None] * len(rows)
        from_data = np.flatnonzero((codes == 0) & (rows < self._state.source.rows))
        if column.base is not None and len(from_data):
            found = self._read(column.base, rows[from_data])
            for place, value in zip(from_data.tolist(), found, strict=True):
                values[place] = plain(value)
        for place in np.flatnonzero(codes).tolist():
            values[place] = self.leaf(column, contents[codes[place] - 1])
        return values

    def leaf(self, column: SheetColumn, content: Content) -> object:
        """Return the value or error that an edit put into a cell; None for a formula."""
        match content:
            case Value(value):
                return value
            case Blank():
                return "" if self._types.is_text(column) else None
            case Invalid(_, failure):
                return failure
            case Copy(row, base):
                return self._state.source.value(base, row)
        return None

    def single(self, column: str, position: int) -> object:
        """Return the value of one cell."""
        known = self._state.columns[column]
        content = known.entry(self._state.order.row(position))
        return self.stored(column, position) if content is None else self.leaf(known, content)

    def stored(self, column: str, position: int) -> object:
        """Return the value of the data in the row at a position; None in an inserted row or column."""
        row = self._state.order.row(position)
        base = self._state.columns[column].base
        return self._state.source.value(base, row) if base is not None and row < self._state.source.rows else None

    def _read(self, base: str, rows: Rows) -> list[object]:
        known, table = self._ahead
        if table is not None and len(known):  # rows that `look_ahead` has read are taken from memory, in any order
            order = np.argsort(known, kind="stable")
            places = order[np.searchsorted(known[order], rows).clip(max=len(known) - 1)]
            if np.array_equal(known[places], rows):
                return list(table.column(base).take(pa.array(places)).to_pylist())
        return list(self._state.source.table(rows, [base]).column(0).to_pylist())
