"""Finds the cells of a page of rows that stand on no data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from whence.model.errors import WhenceError

if TYPE_CHECKING:
    from whence.workspace.dataset import Dataset


def written_positions(dataset: Dataset, rids: Sequence[int]) -> list[list[int]]:
    """Return for each of these rows the positions of the columns that stand on no data; empty if none does."""
    reader = dataset.context.readers.grounds
    try:
        if not reader.is_at_hand(dataset.record):
            return []
        grounds = reader.of(dataset.record)
    except WhenceError:  # lineage that is damaged must not hide the rows
        return []
    if grounds.is_grounded or not rids:
        return []
    rows, names = np.asarray(rids, dtype=np.int64), dataset.schema.names
    flags = [(place, grounds.columns[name][rows] > 0) for place, name in enumerate(names) if name in grounds.columns]
    return [[place for place, flag in flags if flag[row]] for row in range(len(rows))]
