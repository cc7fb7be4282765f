"""Writes a dataset version as a Delta table."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from whence.loading.delta_package import delta_package
from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError
from whence.store.store import Store
from whence.workspace.saved_rows import saved_rows

_MODES = {"errorifexists": "error", "append": "append", "overwrite": "overwrite"}


def save_delta(store: Store, record: DatasetRecord, path: Path, mode: str) -> None:
    """Write all rows as one commit of the table. Rows of a Delta table have no order."""
    write_delta(path, saved_rows(store, record, "Delta tables"), mode)


def write_delta(path: Path, rows: pa.RecordBatchReader, mode: str) -> None:
    """Write rows as one commit of a table."""
    package = delta_package()
    try:
        package.write_deltalake(str(path.resolve()), rows, mode=_MODES[mode])
    except (package.exceptions.DeltaError, OSError, ValueError) as error:
        reason = str(error).strip().split("\n", 1)[0].rstrip(".")
        raise UserError(f"The Delta table {path} cannot be written: {reason}.") from error
