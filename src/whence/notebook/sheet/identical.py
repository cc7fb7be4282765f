"""Finds the cells of a column that hold the same data as an edited cell did."""

from __future__ import annotations

import numpy as np

from whence.notebook.sheet.rowset import Mask
from whence.notebook.sheet.state import SheetColumn, SheetState


def identical_rows(state: SheetState, column: SheetColumn, row: int) -> tuple[Mask, Mask]:
    """Return two masks over the rows of the data: cells that still show what this one showed, and all without edits."""
    assert column.base is not None
    found = state.source.identical(column.base, row)
    codes, _ = column.coded(np.arange(state.source.rows, dtype=np.int64))
    from_data: Mask = codes == 0
    return found & from_data, from_data


def identical_cells(state: SheetState, row: int, column: str) -> int:
    """Return how many other cells that the sheet shows still hold the data of this edited cell."""
    known = state.columns[column]
    if known.base is None or row >= state.source.rows or known.entry(row) is None:
        return 0
    same, _ = identical_rows(state, known, row)
    shown = state.order.rows
    return int(same[shown[shown < len(same)]].sum())
