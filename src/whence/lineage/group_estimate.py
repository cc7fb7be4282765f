"""Estimates how many groups a group-by makes, from samples of the columns that it groups by."""

from __future__ import annotations

from math import prod

import numpy as np
import pyarrow as pa

from whence.model.dataset import DatasetRecord
from whence.plan.rewrite import column_map
from whence.plan.step import GroupBy
from whence.store.store import Store

_PLACES = 16
"""In so many places of a dataset, evenly spread, rows are looked at: files may be sorted."""
_ROWS = 512
"""So many at each."""


def estimate_groups(store: Store, aggregate: GroupBy) -> int | None:
    """The most groups there can be, if columns show no more values than their samples; None where that is not likely.

    A key takes at most one value for each combination of values of the columns it is computed from.
    """
    sources = {stored.source: stored.dataset for step in aggregate.child.walk() if (stored := step.stored_rows)}
    below = column_map(aggregate.child)
    uses = [use for key in aggregate.keys for use in below.of_expr(key)]
    if any(use.source not in sources for use in uses):
        return None
    columns = {(sources[use.source], use.column) for use in uses}
    counts = [_count_values(store, store.by_id(dataset), column) for dataset, column in columns]
    return None if None in counts else prod(count for count in counts if count is not None)


def _count_values(store: Store, record: DatasetRecord, column: str) -> int | None:
    """How many values the sample of a column shows; None if its second half still shows new ones."""
    starts = np.linspace(0, max(record.rows - _ROWS, 0), _PLACES, dtype=np.int64)
    pieces = [store.read(record, int(start), int(start) + _ROWS, [column]).column(0) for start in starts]
    half, whole = (pa.chunked_array(each).unique() for each in (pieces[::2], pieces))
    return len(whole) if len(half) == len(whole) else None
