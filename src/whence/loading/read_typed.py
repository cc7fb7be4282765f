"""Reads typed files as the parts of one dataset, in batches. Types stay, and values that do not fit are problems."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from whence.loading.ahead import ahead
from whence.loading.decide import check_types
from whence.loading.delimited import Parts
from whence.loading.header import clean_names
from whence.loading.infer import look
from whence.loading.keys import key_problems
from whence.loading.passes import in_parts
from whence.loading.problem_table import Problems
from whence.loading.problems import Problem, of_column, quoted
from whence.loading.progress import Progress
from whence.loading.report import LoadReport, SourceFacts
from whence.loading.tally import Tally
from whence.loading.typed_columns import TextIsNotUtf8, TypedColumn
from whence.loading.typed_file import TypedFile
from whence.loading.typed_rows import TypedRows
from whence.loading.wishes import wished
from whence.loading.words import Rows
from whence.model.schema import flag_column
from whence.store.durable import hash_file
from whence.store.parts import ROWS_PER_PART, write_part
from whence.store.rowkeys import as_text


def read_typed(
    file: TypedFile,
    folder: Path,
    types: Mapping[str, str] | None = None,
    key: str | None = None,
    progress: Progress | None = None,
) -> Parts:
    """Write a typed file as parts into a folder. Only a few batches are in memory at a time."""
    facts = SourceFacts(str(file.path.resolve()), hash_file(file.path), file.path.stat().st_size)
    return rewrite_typed(TypedRows([file]), folder, facts, types=types or {}, key=key, progress=progress)


def rewrite_typed(
    rows: TypedRows,
    folder: Path,
    facts: SourceFacts,
    types: Mapping[str, str],
    key: str | None,
    progress: Progress | None = None,
    first_row: int = 0,
) -> Parts:
    """Write the rows of files as parts, in order. A column that a file lacks is NULL there, with a note.

    `first_row` is the row of the dataset with which they begin.
    """
    bad: set[int] = set()
    while True:
        try:
            return _rewrite(rows, folder, facts, types=types, key=key, progress=progress, bad=bad, first_row=first_row)
        except TextIsNotUtf8 as found:  # begin again, with flags for this column, which hardly any file needs
            bad.add(found.position)
            shutil.rmtree(folder, ignore_errors=True)


def _rewrite(
    rows: TypedRows,
    folder: Path,
    facts: SourceFacts,
    types: Mapping[str, str],
    key: str | None,
    progress: Progress | None,
    bad: set[int],
    first_row: int,
) -> Parts:
    columns = _columns(rows, types, bad)
    changed = Problems.of([*_changed(columns), *rows.lacking()])
    keys = Problems.of(key_problems(_key_table(rows, columns, key), key)) if key is not None else Problems.of(())
    found = _Findings(keys.flagged_rows().get(key, np.zeros(0, np.int64)), key, first_row)
    schema = _schema(columns, found, rows.hidden)
    batches = ahead(_converted(rows, columns, found, schema, progress))
    parts = tuple(
        write_part(folder / f"part-{number:05d}.parquet", some, schema)
        for number, some in enumerate(in_parts(batches, ROWS_PER_PART))
    )
    ordered = [problem for column in columns for problem in found.problems.get(column.name, [])]
    problems = Problems.joined([changed, *ordered, keys])
    header, options = tuple(column.original for column in columns), {"types": dict(types)} if types else {}
    report = LoadReport(found.rows, problems, "", None, facts, header=header, key=key, options=options)
    return Parts(parts, report, frozenset(found.flagged))


@dataclass
class _Findings:
    """Problems and flags found during the conversion."""

    repeated: Rows
    key: str | None
    rows: int = 0
    problems: dict[str, list[Problems]] = field(default_factory=dict)
    flagged: set[str | None] = field(default_factory=set)


def _columns(rows: TypedRows, types: Mapping[str, str], bad: set[int]) -> list[TypedColumn]:
    names = clean_names(list(rows.schema.names))
    check_types(types, names)
    wishes = {name.lower(): kind for name, kind in types.items()}
    columns = [
        TypedColumn(each, name, None, position, position in bad)
        for position, (each, name) in enumerate(zip(rows.schema, names, strict=True))
    ]
    return [
        _with_wish(rows, column, wishes[column.name.lower()]) if column.name.lower() in wishes else column
        for column in columns
    ]


def _with_wish(rows: TypedRows, column: TypedColumn, kind: str) -> TypedColumn:
    tally = Tally()
    for batch in rows.batches():
        tally.add(look(as_text(column.plain(batch.column(column.position)))).tally)
    return replace(column, wish=wished(kind, tally))


def _key_table(rows: TypedRows, columns: Sequence[TypedColumn], key: str) -> pa.Table:
    column = next((column for column in columns if column.name == key), None)
    if column is None:
        # `key_problems` then raises an error that names the columns.
        return pa.table({column.name: pa.array([], pa.null()) for column in columns})
    chunks = [column.plain(batch.column(column.position)) for batch in rows.batches()]
    return pa.table({key: pa.chunked_array(chunks, column.storage.type)})


def _schema(columns: Sequence[TypedColumn], found: _Findings, hidden: pa.Schema) -> pa.Schema:
    fields = [*(pa.field(column.name, column.stored) for column in columns), *hidden]
    return pa.schema([*fields, *(pa.field(flag_column(n), pa.bool_()) for n in _may_be_flagged(columns, found))])


def _may_be_flagged(columns: Sequence[TypedColumn], found: _Findings) -> list[int]:
    has_repeats = len(found.repeated) > 0
    return [
        column.position for column in columns if column.may_be_flagged or (has_repeats and column.name == found.key)
    ]


def _converted(
    rows: TypedRows, columns: Sequence[TypedColumn], found: _Findings, schema: pa.Schema, progress: Progress | None
) -> Iterator[pa.RecordBatch]:
    for batch in rows.batches():
        arrays, flags = [], []
        for column, values in zip(columns, batch.columns[: len(columns)], strict=True):
            fitted, problems = column.fitted(values, found.rows)
            arrays.append(fitted.combine_chunks() if isinstance(fitted, pa.ChunkedArray) else fitted)
            if column.position in _may_be_flagged(columns, found):
                flags.append(_flags(column, problems, batch.num_rows, found))
            if problems:
                found.problems.setdefault(column.name, []).append(Problems.of(problems))
        found.rows += batch.num_rows
        yield pa.record_batch([*arrays, *batch.columns[len(columns) :], *flags], schema=schema)
        if progress is not None:
            progress.step(found.rows, max(rows.rows, found.rows), "writing")


def _flags(column: TypedColumn, problems: Sequence[Problem], rows: int, found: _Findings) -> pa.Array:
    hit = np.zeros(rows, dtype=bool)
    hit[[problem.row - found.rows for problem in problems if problem.row is not None]] = True
    if column.name == found.key:
        first, last = np.searchsorted(found.repeated, [found.rows, found.rows + rows])
        hit[found.repeated[first:last] - found.rows] = True
    if hit.any():
        found.flagged.add(column.name)
    return pa.array(hit)


def _changed(columns: Sequence[TypedColumn]) -> Iterator[Problem]:
    """Yield a note for each column whose name or type is not stored as it is."""
    for column in columns:
        if column.original != column.name:
            what = f"The name {quoted(column.original)} cannot be used; the column is {column.name}."
            yield of_column(column.name, "renamed", what, column.original)
    for column in columns:
        for note in column.notes():
            yield of_column(column.name, "stored otherwise", note)
