"""Sorts the rows of a sheet by what some columns show."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.rowset import Rows
from whence.notebook.sheet.state import SheetColumn, SheetState
from whence.store.order import comparable


def sorted_positions(state: SheetState, cells: Evaluator, keys: Sequence[tuple[SheetColumn, bool]]) -> Rows:
    """Return the positions in sorted order. `keys` are columns, each with whether the largest comes first."""
    order = np.arange(state.order.count, dtype=np.int64)
    if state.order.is_plain and all(column.is_untouched for column, _ in keys):
        # Without edits this is a sorted view of the dataset, which the store keeps as a file.
        wanted = [(column.base, "desc" if down else "asc", "nulls last") for column, down in keys]
        return np.asarray(state.source.store.views.view(state.source.record, wanted, []).rids())
    for column, down in reversed(keys):  # stable sorts, from the least important key on
        ranks = _ranks(cells.column_values(column.id).values, down)
        order = order[np.argsort(ranks[order], kind="stable")]
    return order


def _ranks(values: pa.Array, down: bool) -> Rows:
    """Return a rank for each value; nulls come last in both directions."""
    ranks = pc.rank(comparable(values), sort_keys="descending" if down else "ascending", tiebreaker="dense")
    found: Rows = ranks.to_numpy().astype(np.int64)
    return found
