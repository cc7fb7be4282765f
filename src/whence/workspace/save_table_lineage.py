"""The row lineage of a dataset version as it stands beside a saved table: each row with the source rows behind it."""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.caveats.file_lines import file_lines
from whence.loading.report import LoadReport, load_report
from whence.loading.table_lineage import MOST_ROWS, SCHEMA
from whence.loading.table_notes import content_keys
from whence.loading.table_snapshot import TableSnapshot
from whence.model.dataset import DatasetRecord
from whence.model.plural import counted
from whence.store.forgotten import ForgottenRecord
from whence.store.rowkeys import hashed_rows
from whence.workspace.context import Context

MOST_PAIRS = 1_000_000
"""The most pairs of rows that are written: about 40 MB."""
_CHUNK = 1 << 16
Ids = npt.NDArray[np.int64]
Pairs = tuple[DatasetRecord, Ids, Ids]
"""A source, rows of the result, and the rows of the source behind them."""


def lineage_rows(context: Context, record: DatasetRecord, written: TableSnapshot, *, replaces: bool) -> pa.Table:
    """Return the rows to write beside the version of a table that was just written.

    If row lineage is left out, a line says why.
    """
    columns = list(record.schema.names)
    reason = _obstacle(context, record)
    pairs = [] if reason else _pairs(context, record)
    total = sum(len(rows) for _, rows, _ in pairs)
    if total > MOST_PAIRS:
        reason, pairs = f"it has {total:,} pairs of rows, and at most {MOST_PAIRS:,} are written", []
    message = f"Row lineage is not beside the table: {reason}." if reason else ""
    head = {"version": written.version, "replaces": replaces, "columns": columns, "message": message}
    keys = pa.array(_keys(context, record, columns) if pairs else [], pa.string())
    tables = [_described(context, keys, each, str(written.version)) for each in pairs]
    return pa.concat_tables([pa.Table.from_pylist([head], SCHEMA), *tables])


def head_without_rows(record: DatasetRecord, written: TableSnapshot, *, replaces: bool) -> pa.Table:
    """Return the line that says of a version that its row lineage was not wanted."""
    message = "Row lineage is not beside the table: it was saved with lineage=False."
    columns = list(record.schema.names)
    head = {"version": written.version, "replaces": replaces, "columns": columns, "message": message}
    return pa.Table.from_pylist([head], SCHEMA)


def _obstacle(context: Context, record: DatasetRecord) -> str:
    """Return why row lineage cannot be written; empty if it can."""
    for each in (record, *context.readers.trace.ancestors(record)):
        if isinstance(each, ForgottenRecord):
            return "a dataset that the rows were made from was forgotten"
        if each.rows > MOST_ROWS:
            return f"{each.label} has {counted(each.rows, 'row')}"
        document = context.readers.edges.document(each)
        if document is None:
            continue
        if not document.is_exact or document.fitted_models:
            return f"the lineage of {each.label} is not exact"
        if document.pruned_sources:
            return f"the lineage of {each.label} is limited to some inputs"
        if document.derivations > MOST_ROWS:
            return f"{each.label} has {document.derivations:,} derivations"
    return ""


def _pairs(context: Context, record: DatasetRecord) -> list[Pairs]:
    """Return each source with the pairs of rows. A dataset that was loaded or created is its own source."""
    if not record.parents:
        every = np.arange(record.rows, dtype=np.int64)
        return [(record, every, every)]
    ancestors = context.readers.trace.ancestors(record)
    for each in (record, *ancestors):
        context.background.queue.finish(each)
    return [(each, *context.readers.trace.pairs(record, each)) for each in ancestors if not each.parents]


def _keys(context: Context, record: DatasetRecord, columns: list[str]) -> list[str]:
    chunks = (context.store.read(record, n, n + _CHUNK, columns) for n in range(0, record.rows, _CHUNK))
    return content_keys(chunks, columns)


def _described(context: Context, keys: pa.Array, found: Pairs, version: str) -> pa.Table:
    source, rows, source_rows = found
    used, places = np.unique(source_rows, return_inverse=True)
    lines = file_lines(context.store, context.readers.edges, source, used)
    hashes = hashed_rows(context.store, source, source.schema.names, used)
    source_keys = [f"{first:016x}{second:016x}" for first, second in hashes.tolist()]
    report = load_report(context.store, source)
    files = [_file_of(report, row) for row in used.tolist()]
    at_rows = pa.array(places, pa.int64())
    columns = {
        "version": pa.repeat(version, len(rows)),
        "row_key": keys.take(pa.array(rows, pa.int64())),
        "source": pa.repeat(source.label, len(rows)),
        "file": pa.array([name for name, _ in files], pa.string()).take(at_rows),
        "sha256": pa.array([sha256 for _, sha256 in files], pa.string()).take(at_rows),
        "source_row": pa.array(source_rows, pa.int64()),
        "line": pa.array(lines, pa.int64()).take(at_rows),
        "source_key": pa.array(source_keys, pa.string()).take(at_rows),
    }
    missing = {each.name: pa.nulls(len(rows), each.type) for each in SCHEMA if each.name not in columns}
    return pa.table({**columns, **missing}).select(SCHEMA.names).cast(SCHEMA)


def _file_of(report: LoadReport | None, row: int) -> tuple[str, str]:
    """Return the name, without its folder, and the hash of the file that a row of a source is from; empty for none."""
    if report is None:
        return "", ""
    files = [each for each in report.files if each.rows]
    if not files:
        return Path(report.source.path).name, report.source.sha256
    file = files[bisect_right(files, row, key=lambda each: each.first_row) - 1]
    return Path(file.path).name, file.sha256
