"""What stands beside a saved table: the doubts about its rows, and what they were made from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

from whence.loading.report import load_report
from whence.loading.table_formats import TableFormat
from whence.loading.table_notes import (
    DOUBT,
    LINEAGE,
    ROW_SET,
    SCHEMA,
    TableNote,
    content_keys,
    notes_folder,
    notes_of_version,
)
from whence.loading.table_snapshot import TableSnapshot
from whence.model.caveat import CaveatGroup
from whence.model.dataset import DatasetRecord
from whence.store.forgotten import ForgottenRecord
from whence.workspace.context import Context

_EXACT = 1000
"""The number of doubtful cells up to which the reasons of each are looked up; beyond it those of columns are told."""
_CHUNK = 1 << 16


def earlier_notes(form: TableFormat, table: Path) -> list[TableNote]:
    """Return what stands beside a table now, which a version that only adds rows keeps."""
    beside = notes_folder(table)
    if not (form.is_at(table) and form.is_at(beside)):
        return []
    return notes_of_version(form.read(table, None, None), form.read(beside, None, None))


def note_rows(
    context: Context, record: DatasetRecord, written: TableSnapshot, earlier: Iterable[TableNote]
) -> pa.Table:
    """Return the rows to write beside the version of a table that was just written."""
    found = [*earlier, *_doubts(context, record), TableNote(LINEAGE, None, None, _made_from(context, record), ())]
    rows = [
        {
            "version": written.version,
            "kind": each.kind,
            "row_key": each.row_key,
            "column": each.column,
            "message": each.message,
            "columns": list(each.columns),
        }
        for each in dict.fromkeys(found)
    ]
    return pa.Table.from_pylist(rows, SCHEMA)


def _doubts(context: Context, record: DatasetRecord) -> Iterator[TableNote]:
    """Yield the doubts about cells and rows, and about the rows that may be missing."""
    flags = context.readers.flags
    doubt = flags.doubt(record)
    if doubt.row_set:
        yield TableNote(ROW_SET, None, None, f"Rows may be missing: {_words(_groups(context, record))}.", ())
    if not (doubt.columns or doubt.rows):
        return
    columns = record.schema.names
    chunks = (context.store.read(record, n, n + _CHUNK, columns) for n in range(0, record.rows, _CHUNK))
    keys = content_keys(chunks, columns)
    marks = flags.table(record, 0, record.rows)
    hits = {name: np.flatnonzero(marks.column(place).to_numpy()) for place, name in enumerate((*columns, None))}
    is_exact = sum(map(len, hits.values())) <= _EXACT
    for column, rows in hits.items():
        if not len(rows):
            continue
        together = "" if is_exact else f"one of these: {_words(_groups(context, record, None, column))}"
        for row in rows.tolist():
            why = together or _words(_groups(context, record, row, column))
            yield TableNote(DOUBT, keys[row], column, why, columns)


def _groups(
    context: Context, record: DatasetRecord, row: int | None = None, column: str | None = None
) -> list[CaveatGroup]:
    return [each for each in context.readers.reasons.of(record, row, column) if not each.acknowledged]


def _words(groups: Iterable[CaveatGroup]) -> str:
    found = dict.fromkeys(message for each in groups for message in each.messages or (each.message,))
    return "; ".join(found) or "its reasons are not known"


def _made_from(context: Context, record: DatasetRecord) -> str:
    """Return a sentence about the query and the sources of a dataset version. Of files it names no folder."""
    sources = sorted({_source_words(context, each) for each in _sources(context, record)})
    made = "" if record.is_source else f", which is {record.text!r}"
    return f"Saved from {record.label}{made}; its sources: {', '.join(sources)}."


def _sources(context: Context, record: DatasetRecord) -> Iterator[DatasetRecord]:
    waiting, seen = [record], {record.id}
    while waiting:
        current = waiting.pop()
        if not current.parents:
            yield current
        for parent in current.parents:
            found = context.store.by_id(parent)
            if parent not in seen and not isinstance(found, ForgottenRecord):
                seen.add(parent)
                waiting.append(found)


def _source_words(context: Context, record: DatasetRecord) -> str:
    report = load_report(context.store, record)
    if report is None:
        return record.label
    version = "" if report.source.version is None else f", version {report.source.version}"
    checksum = f", sha256 {report.source.sha256[:12]}" if report.source.sha256 else ""
    return f"{record.label} ({Path(report.source.path).name}{version}{checksum})"
