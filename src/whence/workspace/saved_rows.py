"""The rows of a dataset version as a stream of batches, for writers of tables in other formats."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError
from whence.store.store import Store
from whence.store.types import is_variant

_ROWS = 65_536
"""Rows that are read and written at a time."""


def saved_rows(store: Store, record: DatasetRecord, what: str) -> pa.RecordBatchReader:
    """Return all rows in order. Raise an error for types that tables of other formats do not have."""
    schema = store.read(record, 0, 0).schema
    variant = next((field.name for field in schema if is_variant(field.type)), None)
    if variant is not None:
        raise UserError(f"Column {variant} is a variant, which is not written to {what}.", "Cast it to a string.")
    return pa.RecordBatchReader.from_batches(schema, _batches(store, record))


def _batches(store: Store, record: DatasetRecord) -> Iterator[pa.RecordBatch]:
    for start in range(0, record.rows, _ROWS):
        yield from store.read(record, start, start + _ROWS).to_batches()
