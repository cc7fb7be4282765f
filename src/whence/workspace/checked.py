"""Checks the rows and columns that users pass against the dataset that they belong to."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from whence.lineage.block import Ids
from whence.model.dataset import DatasetRecord
from whence.model.errors import UnknownColumn, UnknownRow

RowIds = int | Iterable[int]
"""Rows as users pass them: the id of one, or the ids of several."""


def checked_row(record: DatasetRecord, row: int) -> int:
    """Return the row id. Raise if the dataset has no such row."""
    if not 0 <= row < record.rows:
        last = f"Its rows are 0 to {record.rows - 1}." if record.rows else "It has no rows."
        raise UnknownRow(f"{record.label} has no row {row}.", last)
    return int(row)


def checked_rows(record: DatasetRecord, rows: RowIds) -> Ids:
    """Return the row ids as an array. Raise if the dataset lacks one of them."""
    ids = row_ids(rows)
    if len(ids):
        for edge in (ids.min(), ids.max()):  # the others lie between
            checked_row(record, int(edge))
    return ids


def row_ids(rows: RowIds) -> Ids:
    """Return row ids as an array. A single id need not be in a list."""
    if isinstance(rows, np.ndarray):
        return rows.astype(np.int64)
    return np.array([rows] if isinstance(rows, int | np.integer) else list(rows), dtype=np.int64)


def checked_column(record: DatasetRecord, column: str) -> str:
    """Return the column name. Raise if the dataset has no such column."""
    if record.schema.position(column) is None:
        raise UnknownColumn(f"{record.label} has no column {column}.", f"It has {', '.join(record.schema.names)}.")
    return column
