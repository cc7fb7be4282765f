"""Writes a dataset to a file atomically: readers see the old file or the whole new one."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from whence.model.dataset import DatasetRecord
from whence.model.errors import BadInput, UserError
from whence.notebook.export.formats import FORMATS, SUFFIXES
from whence.store.store import Store

_ROWS = 65_536
"""Rows that are read and written at a time."""


def export_dataset(store: Store, record: DatasetRecord, path: Path, format: str | None = None) -> str:
    """Write all rows in the order of their row ids, replacing a file of that name. Return the format."""
    chosen = format or SUFFIXES.get(path.suffix.lower())
    if chosen not in FORMATS:
        raise BadInput(f"{path.name} does not say in which format to write.", f"Formats: {', '.join(FORMATS)}.")
    if not path.parent.is_dir():
        raise UserError(f"There is no folder {path.parent}.")
    schema = store.read(record, 0, 0).schema
    # In the same folder, because renaming is atomic only within one file system.
    waiting = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        FORMATS[chosen](waiting, _batches(store, record), schema)
        with waiting.open("rb") as file:
            os.fsync(file.fileno())  # before the rename: after a power cut the name must not lead to half a file
        waiting.replace(path)
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}.") from error
    finally:
        waiting.unlink(missing_ok=True)
    return chosen


def _batches(store: Store, record: DatasetRecord) -> Iterator[pa.Table]:
    for start in range(0, record.rows, _ROWS):
        yield store.read(record, start, start + _ROWS)
