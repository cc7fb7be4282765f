"""What operations share: find the rows they name, read what stands in a cell, and copy it into other rows."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from whence.notebook.sheet.content import Content, Copy, Value
from whence.notebook.sheet.rowset import Rows, RowSet
from whence.notebook.sheet.state import CannotApply, Layer, SheetColumn, SheetState, hanging

_MANY = 1_000
"""Beyond this many cells, one layer takes less room than an entry for each cell."""


def some_rows(state: SheetState, addresses: Iterable[str]) -> tuple[Rows, str]:
    """Return the numbers of the rows that are shown, and in words how many are gone. Raise CannotApply if all are."""
    wanted = list(addresses)
    numbers = [state.number(each) for each in wanted]
    rows = np.array([-1 if each is None else each for each in numbers], dtype=np.int64)
    there = (rows >= 0) & (state.order.positions(np.maximum(rows, 0)) >= 0)  # -1 is a row that is gone
    gone = len(rows) - int(there.sum())
    if gone == len(rows):
        raise CannotApply("its row is gone" if gone == 1 else f"its {gone} rows are gone")
    return rows[there], "" if not gone else f"{gone} of its {len(rows)} rows are gone"


def content_of(state: SheetState, column: SheetColumn, row: int) -> Content:
    """Return what stands in a cell, as a content that other cells can have, too."""
    content = column.entry(row)
    if content is not None:
        return content
    return Copy(row, column.base) if column.base is not None and row < state.source.rows else Value(None)


def put_copies(state: SheetState, column: SheetColumn, row: int, content: Content, rows: Rows) -> None:
    """Put what stands in one row into others. If a condition decided on it, the copies depend on the condition, too."""
    decided, doubtful, _ = hanging(column, np.array([row], dtype=np.int64), state.rows)
    chosen = RowSet.of(rows, state.rows)
    # Wide: what decided on the copied cell did so in its row, not in the rows of the copies.
    layer = Layer(chosen, content, decided, None if doubtful is None else chosen, is_wide=True)
    if layer.hangs:  # a single cell cannot say what decided on it
        state.add_layer(column.id, layer)
    elif len(rows) > _MANY:
        state.add_layer(column.id, Layer(chosen, content))
    else:
        state.set_cells(column.id, ((each, content) for each in rows.tolist()))
