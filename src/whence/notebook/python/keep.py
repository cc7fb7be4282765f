"""Makes datasets of what a Python cell assigned, once it has ended well. It does not trust the files of the cell."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow as pa

from whence.derive.derive import derive
from whence.derive.from_code import CodeResult, IdentifiedRows, derive_table
from whence.derive.request import Request
from whence.model.dataset import DatasetRecord
from whence.model.errors import BadInput
from whence.notebook.cell import CellContext
from whence.notebook.python.answers import DatasetCopy, Made, Table, View
from whence.notebook.python.spark import SparkForCells

_MOST_COLUMNS = 10_000
_MOST_EMPTY_ROWS = 1_000_000
"""A table with more rows must take at least one bit for each in its file: a column of nulls can claim any number."""


def keep(context: CellContext, spark: SparkForCells, made: Made, folder: Path, text: str) -> DatasetRecord:
    """Make the dataset of one assignment."""
    match made:
        case Table():
            return _keep_table(context, made, folder, text)
        case DatasetCopy():
            frame = context.engine.frame(made.record)
            return derive(context.derive, Request(frame, made.name, "python", text))
        case View():
            return spark.keep(context.derive, made.name, made.view, made.read, text)


def _keep_table(context: CellContext, made: Table, folder: Path, text: str) -> DatasetRecord:
    table, rows = _read(folder / made.file, made.name), None
    known = made.index_of
    if known is not None:
        rids = table.column(table.num_columns - 1).cast(pa.int64())
        if rids.null_count:
            raise BadInput(f"The index of {made.name} has gaps.", "Drop it: reset_index(drop=True).")
        rows = IdentifiedRows(known, rids.to_numpy())
        table = table.select(range(table.num_columns - 1))
    return derive_table(context.derive, CodeResult(made.name, table, made.read, rows, text))


def _read(path: Path, name: str) -> pa.Table:
    """Read the table that the worker wrote, and refuse a file that is not a valid Arrow table."""
    try:
        # The cell may have put a link or a pipe there: the flags keep it from leading out or blocking the server.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            # Read whole, not mapped: the process of a session lives on, and could change the file after the checks.
            data = pa.py_buffer(file.read())
        reader = pa.ipc.open_file(pa.BufferReader(data))
        _check_size(reader, name, len(data))
        table = reader.read_all()
        table.validate(full=True)
    except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
        raise BadInput(f"What the cell wrote for {name} cannot be read: {error}") from error
    return table


def _check_size(reader: pa.ipc.RecordBatchFileReader, name: str, size: int) -> None:
    """Refuse a table that would take far more memory than its file."""
    columns = len(reader.schema)
    if columns > _MOST_COLUMNS:
        raise BadInput(
            f"{name} has {columns:,} columns, and a dataset has at most {_MOST_COLUMNS:,}.",
            "Turn columns into rows first, for example with melt().",
        )
    rows = sum(reader.get_batch(number).num_rows for number in range(reader.num_record_batches))
    if rows > max(_MOST_EMPTY_ROWS, 8 * size):
        raise BadInput(
            f"{name} claims {rows:,} rows in {size:,} bytes, so its columns hold nothing.", "Give a column values."
        )
