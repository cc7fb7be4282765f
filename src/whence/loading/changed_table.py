"""Puts the rows of a table together from those that an earlier load holds and those of files that were read now."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from whence.loading.delimited import Parts
from whence.loading.earlier_load import EarlierLoad
from whence.loading.parquet_folder import combine_facts, file_facts
from whence.loading.problem_table import Problems, as_problems
from whence.loading.report import FileFacts
from whence.loading.table_snapshot import Positions, TableSnapshot
from whence.store.parts import PartFile, write_part
from whence.store.store import Store

_MOST_PARTS = 64
"""A dataset of more parts is read anew, because each reload adds some, and every query opens all of them."""


@dataclass(frozen=True)
class _Stretch:
    """Rows of one origin that follow each other in the table."""

    is_known: bool
    """Whether the earlier load holds them."""
    start: int
    """The first of them, in the rows of their origin."""
    rows: int


def join_rows(
    store: Store, staging: Path, earlier: EarlierLoad, read: Parts | None, snapshot: TableSnapshot
) -> Parts | None:
    """Return all rows of a version of a table. `read` are those of the files that the earlier load does not hold.

    None if a load of the whole table might say something else about the columns, or store them in another way.
    """
    facts = _facts_of_files(earlier, read, snapshot)
    stretches = _stretches(earlier, facts)
    origins = {True: _parts_of(store, earlier), False: () if read is None else read.parts}
    pieces = [piece for each in stretches for piece in _pieces(origins[each.is_known], each)]
    problems = _problems(earlier, read, stretches)
    if problems is None or len(pieces) > _MOST_PARTS or not _are_alike([part for part, _, _ in pieces]):
        return None
    folder = staging / "joined"
    folder.mkdir(parents=True)
    parts = tuple(_written(piece, folder / f"part-{number:05d}.parquet") for number, piece in enumerate(pieces))
    files = file_facts([each for each, _ in facts], [each.rows for each, _ in facts])
    report = replace(
        earlier.report if read is None else read.report,
        records=sum(each.rows for each in files),
        problems=problems,
        source=combine_facts(snapshot.path, files),
        files=files,
        options={},
    )
    return Parts(parts, report, frozenset(problems.flagged_rows()))


def first_new_row(earlier: EarlierLoad, snapshot: TableSnapshot) -> int:
    """Return the row of the table with which the first file begins that an earlier load does not hold."""
    known = (earlier.facts(file) for file in snapshot.files)
    return sum(each.rows for each in takewhile(lambda each: each is not None, known) if each is not None)


def _facts_of_files(earlier: EarlierLoad, read: Parts | None, snapshot: TableSnapshot) -> list[tuple[FileFacts, bool]]:
    """Return the facts about each file in its origin, and whether the earlier load holds its rows."""
    now = iter(() if read is None else read.report.files)
    known = [earlier.facts(file) for file in snapshot.files]
    return [(next(now), False) if each is None else (each, True) for each in known]


def _stretches(earlier: EarlierLoad, facts: Sequence[tuple[FileFacts, bool]]) -> list[_Stretch]:
    """Return the rows of the files in their order. Neighbours that follow each other in their origin are one."""
    found: list[_Stretch] = []
    for file, is_known in facts:
        last = found[-1] if found else None
        if last is not None and (last.is_known, last.start + last.rows) == (is_known, file.first_row):
            found[-1] = replace(last, rows=last.rows + file.rows)
        else:
            found.append(_Stretch(is_known, file.first_row, file.rows))
    return found


_Piece = tuple[PartFile, int, int]
"""A part, and which of its rows: from the first number to before the second."""


def _pieces(parts: Sequence[PartFile], stretch: _Stretch) -> Iterator[_Piece]:
    first = 0
    for part in parts:
        start, stop = max(stretch.start, first), min(stretch.start + stretch.rows, first + part.rows)
        if start < stop:
            yield part, start - first, stop - first
        first += part.rows


def _parts_of(store: Store, earlier: EarlierLoad) -> tuple[PartFile, ...]:
    folder = store.layout.dataset(earlier.record.id)
    parts = store.manifest(earlier.record).parts
    return tuple(PartFile(str(folder / part.path), part.rows, part.size, part.sha256) for part in parts)


def _are_alike(parts: Sequence[PartFile]) -> bool:
    layouts = [pq.read_schema(path).remove_metadata() for path in dict.fromkeys(part.path for part in parts)]
    return len(layouts) > 0 and all(each == layouts[0] for each in layouts)


def _written(piece: _Piece, path: Path) -> PartFile:
    """Write some rows of a part. A whole part is shared, not copied, where the file system can do that."""
    part, start, stop = piece
    if (start, stop) != (0, part.rows):
        return write_part(path, _rows(Path(part.path), start, stop), pq.read_schema(part.path))
    try:
        os.link(part.path, path)
    except OSError:
        shutil.copyfile(part.path, path)
    return replace(part, path=str(path))


def _rows(path: Path, start: int, stop: int) -> Iterator[pa.RecordBatch]:
    with pq.ParquetFile(path) as file:
        first = 0
        for batch in file.iter_batches():
            low, high = max(start - first, 0), min(stop - first, batch.num_rows)
            if low < high:
                yield batch.slice(low, high - low)
            first += batch.num_rows


def _problems(earlier: EarlierLoad, read: Parts | None, stretches: Sequence[_Stretch]) -> Problems | None:
    """Return the problems of all rows in the order of a single load. None if that load might find others.

    Problems of no row are those of each column, as the table has it. If files are gone, they may have been the reason.
    """
    before = as_problems(earlier.report.problems)
    now = Problems.of(()) if read is None else as_problems(read.report.problems)
    about_columns = _about_columns(before)
    if (read is not None and about_columns != _about_columns(now)) or (earlier.has_lost_files and len(about_columns)):
        return None
    known = _left(before, _places(before, stretches, is_known=True))
    new = _left(now, _places(now, stretches, is_known=False))
    if known is None or new is None:
        return None
    names = earlier.record.schema.names
    ordered = sorted([*known, *new], key=lambda each: (names.index(each.column or ""), each.row or 0))
    found = Problems.joined([about_columns, Problems.of(ordered)])
    flagged = _flagged_columns(earlier) | (frozenset() if read is None else read.flagged)
    return found if frozenset(found.flagged_rows()) == flagged else None


def _flagged_columns(earlier: EarlierLoad) -> frozenset[str | None]:
    doubt = earlier.record.doubt
    return frozenset(doubt.columns | ({None} if doubt.rows else set()))


def _about_columns(problems: Problems) -> Problems:
    return Problems(problems.table.filter(problems.table["row"].is_null()))


def _places(problems: Problems, stretches: Sequence[_Stretch], *, is_known: bool) -> Positions:
    """Return the row of the table for each problem of a row; -1 if the row is gone."""
    rows = problems.table["row"].drop_null().to_numpy()
    places = np.full(len(rows), -1, np.int64)
    first, offset = 0, None
    for each in stretches:
        if each.is_known == is_known:
            # Rows that were read now are numbered from the place of the first of them in the table.
            offset = 0 if is_known else (first if offset is None else offset)
            start = each.start + offset
            is_here = (rows >= start) & (rows < start + each.rows)
            places[is_here] = rows[is_here] - start + first
        first += each.rows
    return places


def _left(problems: Problems, places: Positions) -> Problems | None:
    """Return the problems of rows that are left. None if one of these rows has moved, as messages name the row."""
    table = problems.table.filter(problems.table["row"].is_valid())
    is_left = places >= 0
    left = table.filter(pa.array(is_left))
    return Problems(left) if np.array_equal(left["row"].to_numpy(), places[is_left]) else None
