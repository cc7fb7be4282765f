"""The second pass over one file: converts its text to the decided types, with doubt flags and a problem per misfit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from whence.loading.decide import Column, Decision
from whence.loading.doubts import letters_in_doubt, suspicious_cells
from whence.loading.infer import TypedValues, read_as
from whence.loading.look import FileLook
from whence.loading.problem_table import Problems
from whence.loading.shelf import TextRows
from whence.loading.words import Rows
from whence.model.errors import UnknownColumn
from whence.model.schema import LINE_COLUMN, ROW_FLAG_COLUMN, flag_column

_THREADS = 4

Places = Mapping[str | None, Rows]
"""Doubtful rows by column. None stands for the row itself."""


@dataclass
class ConversionFindings:
    """Problems and doubtful rows found while a file was converted. Rows count from the first of the file."""

    problems: dict[str, list[Problems]] = field(default_factory=dict)
    flagged: set[str | None] = field(default_factory=set)
    doubtful: dict[str, list[Rows]] = field(default_factory=dict)


def schema_of_rows(decision: Decision) -> pa.Schema:
    """Return the columns of a part file: the user's, the line of each row, and the doubt flags that may be needed."""
    fields = [pa.field(column.name, column.reading.type) for column in decision.columns]
    fields += [pa.field(name, pa.string()) for name in decision.names[len(fields) :]]
    fields.append(pa.field(LINE_COLUMN, pa.int64()))
    fields += [pa.field(flag_column(n), pa.bool_()) for n, c in enumerate(decision.columns) if c.may_be_flagged]
    if decision.has_row_flags:
        fields.append(pa.field(ROW_FLAG_COLUMN, pa.bool_()))
    return pa.schema(fields)


def convert(
    file: FileLook, number: int, decision: Decision, places: Places, found: ConversionFindings
) -> Iterator[pa.RecordBatch]:
    """Yield the rows of one file. `places` holds flags known before, and new findings go into `found`."""
    schema, start = schema_of_rows(decision), 0
    with ThreadPoolExecutor(max_workers=_THREADS) as pool:
        for piece in file.shelf:
            yield _converted(
                file, number, decision, places=places, found=found, piece=piece, start=start, pool=pool, schema=schema
            )
            start += len(piece.lines)


def _converted(
    file: FileLook,
    number: int,
    decision: Decision,
    places: Places,
    found: ConversionFindings,
    piece: TextRows,
    start: int,
    pool: ThreadPoolExecutor,
    schema: pa.Schema,
) -> pa.RecordBatch:
    rows = len(piece.lines)
    typed = list(pool.map(lambda column: _typed(file, number, column, piece), decision.columns))
    arrays = [each.values for each in typed]
    if decision.extra is not None:
        arrays.append(pa.nulls(rows, pa.string()) if piece.extra is None else piece.extra)
    if decision.file_column is not None:
        arrays.append(pa.array([file.path.rsplit("/", 1)[-1]] * rows, pa.string()))
    arrays.append(pa.array(piece.lines))
    for column, each in zip(decision.columns, typed, strict=True):
        _note(found, column.name, each, start)
        if column.may_be_flagged:
            hit = _flags(places, column.name, start, rows)
            hit[[problem.row for problem in each.problems if problem.row is not None]] = True
            hit[each.doubtful] = True
            arrays.append(pa.array(hit))
            if hit.any():
                found.flagged.add(column.name)
    if decision.has_row_flags:
        hit = _flags(places, None, start, rows)
        arrays.append(pa.array(hit))
        if hit.any():
            found.flagged.add(None)
    return pa.record_batch(arrays, schema=schema)


def _typed(file: FileLook, number: int, column: Column, piece: TextRows) -> TypedValues:
    position = column.positions[number]
    if position is None:
        return TypedValues(pa.nulls(len(piece.lines), column.reading.type), [], np.zeros(0, np.int64))
    texts = piece.columns[position]
    quick = piece.quick[position] if piece.quick else None
    typed = read_as(column.name, texts, piece.lines, column.reading, quick)
    problems, doubtful = typed.problems, typed.doubtful
    if column.reading.how == "text":
        problems = [*problems, *suspicious_cells(column.name, texts, piece.lines)]
    if file.is_guess and file.columns[position].has_letters:
        doubtful = np.union1d(doubtful, letters_in_doubt(texts))
    return TypedValues(typed.values, problems, doubtful)


def key_column(files: Sequence[FileLook], decision: Decision, key: str) -> pa.Table:
    """Return the key column of all files together, with the line of each row."""
    column = next((column for column in decision.columns if column.name == key), None)
    if column is None:
        names = ", ".join(column.name for column in decision.columns)
        raise UnknownColumn(f"The key {key} is not a column.", f"There are {names}.")
    pieces = [
        (_typed(file, number, column, piece).values, pa.array(piece.lines))
        for number, file in enumerate(files)
        for piece in file.shelf
    ]
    values = pa.chunked_array([value for value, _ in pieces], column.reading.type)
    return pa.table({key: values, LINE_COLUMN: pa.chunked_array([lines for _, lines in pieces], pa.int64())})


def _note(found: ConversionFindings, name: str, typed: TypedValues, start: int) -> None:
    if typed.problems:
        found.problems.setdefault(name, []).append(Problems.of(typed.problems).moved(start))
    if len(typed.doubtful):
        found.doubtful.setdefault(name, []).append(typed.doubtful + start)


def _flags(places: Places, name: str | None, start: int, rows: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    hit = np.zeros(rows, dtype=bool)
    known = places.get(name)
    if known is not None:
        # The rows are sorted, so those of this piece are one slice.
        first, last = np.searchsorted(known, [start, start + rows])
        hit[known[first:last] - start] = True
    return hit
