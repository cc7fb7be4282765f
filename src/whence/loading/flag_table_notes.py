"""Puts the doubts that stand beside a table on the rows that were read from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from whence.loading.delimited import Parts
from whence.loading.problem_table import Problems, as_problems
from whence.loading.problems import Problem, of_file
from whence.loading.table_notes import DOUBT, TableNote, content_keys
from whence.model.schema import INTERNAL_PREFIX, ROW_FLAG_COLUMN, flag_column
from whence.store.parts import PartFile, write_part

KIND = "beside the table"
"""The kind of the problems that were written down beside a table."""


def with_table_notes(folder: Path, read: Parts, records: Sequence[TableNote]) -> Parts:
    """Return rows with the doubts that were written down about them, and notes of what was said of the whole table.

    Rows that are equal cannot be told apart, so a doubt about one of them is on each.
    """
    if not records:
        return read
    placed = [
        problem for each in _doubt_problems(read, [one for one in records if one.kind == DOUBT]) for problem in each
    ]
    notes = [of_file(KIND, each.message) for each in records if each.kind != DOUBT]
    gone = sum(each.row is None for each in placed)
    if gone:
        notes.append(of_file(KIND, f"{gone} doubts beside the table are about rows or columns that are gone."))
    doubts = Problems.of([each for each in placed if each.row is not None])
    problems = Problems.joined([as_problems(read.report.problems), doubts, Problems.of(notes)])
    flags = doubts.flagged_rows()
    parts = tuple(_flagged(folder, read.parts, flags)) if flags else read.parts
    return Parts(parts, replace(read.report, problems=problems), read.flagged | set(flags))


def _doubt_problems(read: Parts, doubts: Sequence[TableNote]) -> Iterator[list[Problem]]:
    """Yield for each doubt a problem at each row that it is about, or one without a row if there is none."""
    names = {name for part in read.parts[:1] for name in _user_columns(pq.read_schema(part.path).names)}
    for columns in dict.fromkeys(each.columns for each in doubts):
        rows = _rows_by_key(read.parts, columns) if names.issuperset(columns) else {}
        for each in doubts:
            if each.columns == columns:
                is_there = each.column is None or each.column in names
                found = rows.get(each.row_key or "", []) if is_there else []
                places: list[int | None] = list(found) if found else [None]
                yield [Problem(row, each.column, None, None, kind=KIND, message=each.message) for row in places]


def _user_columns(names: Sequence[str]) -> list[str]:
    return [name for name in names if not name.startswith(INTERNAL_PREFIX)]


def _rows_by_key(parts: Sequence[PartFile], columns: Sequence[str]) -> dict[str, list[int]]:
    rows: dict[str, list[int]] = {}
    tables = (pq.read_table(part.path, columns=list(columns), partitioning=None) for part in parts)
    for row, key in enumerate(content_keys(tables, columns)):
        rows.setdefault(key, []).append(row)
    return rows


def _flagged(
    folder: Path, parts: Sequence[PartFile], flags: Mapping[str | None, np.ndarray[tuple[int], np.dtype[np.int64]]]
) -> Iterator[PartFile]:
    """Write the parts again with flags on these rows of columns; of no column for whole rows."""
    start = 0
    for number, part in enumerate(parts):
        table = pq.read_table(part.path, partitioning=None)
        shown = _user_columns(table.column_names)
        for column, rows in flags.items():
            name = ROW_FLAG_COLUMN if column is None else flag_column(shown.index(column))
            mask = np.zeros(table.num_rows, dtype=bool)
            mask[rows[(rows >= start) & (rows < start + table.num_rows)] - start] = True
            table = _with_flags(table, name, pa.array(mask))
        start += table.num_rows
        yield write_part(folder / f"flagged-{number:05d}.parquet", table.to_batches(), table.schema)
        Path(part.path).unlink()


def _with_flags(table: pa.Table, name: str, flags: pa.Array) -> pa.Table:
    if name not in table.column_names:
        return table.append_column(name, flags)
    either = pc.or_(table.column(name), flags)
    return table.set_column(table.column_names.index(name), name, either)
