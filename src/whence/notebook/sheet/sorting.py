"""The order of rows by what some columns show."""

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
    """Positions in the new order; `keys` are columns, each with whether the largest comes first."""
    order = np.arange(state.order.count, dtype=np.int64)
    if state.order.is_plain and all(column.is_untouched for column, _ in keys):
        wanted = [(column.base, "desc" if down else "asc", "nulls last") for column, down in keys]
        return np.asarray(state.source.store.views.view(state.source.record, wanted, []).rids())
    for column, down in reversed(keys):  # from the least important one, each time keeping what is equal as it stands
        ranks = _ranks(cells.column_values(column.id).values, down)
        order = order[np.argsort(ranks[order], kind="stable")]
    return order


def _ranks(values: pa.Array, down: bool) -> Rows:
    """A number for each value by which it sorts; empty ones are last either way."""
    ranks = pc.rank(comparable(values), sort_keys="descending" if down else "ascending", tiebreaker="dense")
    found: Rows = ranks.to_numpy().astype(np.int64)
    return found
