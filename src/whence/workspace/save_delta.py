"""Writes a dataset version as a Delta table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from whence.loading.delta_package import delta_package
from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError
from whence.store.store import Store
from whence.store.types import is_variant

_ROWS = 65_536
"""Rows that are read and written at a time."""
_MODES = {"errorifexists": "error", "append": "append", "overwrite": "overwrite"}


def save_delta(store: Store, record: DatasetRecord, path: Path, mode: str) -> None:
    """Write all rows as one commit of the table. Rows of a Delta table have no order."""
    package = delta_package()
    schema = store.read(record, 0, 0).schema
    variant = next((field.name for field in schema if is_variant(field.type)), None)
    if variant is not None:
        raise UserError(f"Column {variant} is a variant, which is not written to Delta tables.", "Cast it to a string.")
    rows = pa.RecordBatchReader.from_batches(schema, _batches(store, record))
    try:
        package.write_deltalake(str(path.resolve()), rows, mode=_MODES[mode])
    except (package.exceptions.DeltaError, OSError, ValueError) as error:
        reason = str(error).strip().split("\n", 1)[0].rstrip(".")
        raise UserError(f"The Delta table {path} cannot be written: {reason}.") from error


def _batches(store: Store, record: DatasetRecord) -> Iterator[pa.RecordBatch]:
    for start in range(0, record.rows, _ROWS):
        yield from store.read(record, start, start + _ROWS).to_batches()
