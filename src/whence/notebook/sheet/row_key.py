"""Row keys of an applied sheet: the key of the row it shows, or a hash of the address for an inserted row."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from whence.notebook.sheet.state import SheetState
from whence.store.arrays import Array
from whence.store.key_columns import DOCUMENT
from whence.store.layout import HIDDEN_KEYS
from whence.store.rowkeys import hashed

Documents = dict[str, object]
Arrays = dict[str, dict[str, Array]]


def stored_key(state: SheetState) -> tuple[Documents, Arrays]:
    """Return the documents and arrays to store, from which the keys of all rows are computed."""
    rows = state.order.rows
    new = np.flatnonzero(rows >= state.source.rows)
    if not len(new):
        return {DOCUMENT: {"key": {"row": 0}}}, {}
    words = np.zeros((len(rows), 2), dtype=np.uint64)
    # The address names the operation, so an inserted row has the same key whenever the sheet is applied.
    words[new] = hashed(pa.array([state.address(row) for row in rows[new].tolist()], pa.string()))
    arrays: dict[str, Array] = {"v0a": words[:, 0], "v0b": words[:, 1]}
    return {DOCUMENT: {"key": {"row": 0, "new": {"stored": 0}}}}, {HIDDEN_KEYS: arrays}
