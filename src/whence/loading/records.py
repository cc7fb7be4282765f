"""Reads records whose values already have types (from JSON or a database) and writes them as parts, in chunks.

There are several passes: one tallies the columns, one verifies what depends on all values, and one writes. Of a large
file only one chunk is in memory. The chunks of a small file are kept between the passes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa

from whence.loading.ahead import ahead
from whence.loading.decide import check_types
from whence.loading.delimited import Parts
from whence.loading.header import clean_names
from whence.loading.json_columns import JsonColumnTally, Plan, mended
from whence.loading.keys import key_problems
from whence.loading.passes import in_parts
from whence.loading.problem_table import Problems
from whence.loading.problems import Problem, of_column, quoted
from whence.loading.progress import Progress
from whence.loading.report import LoadReport, SourceFacts
from whence.loading.words import Rows
from whence.model.errors import UnknownColumn
from whence.model.schema import LINE_COLUMN, ROW_FLAG_COLUMN, flag_column
from whence.store.parts import ROWS_PER_PART, write_part

CHUNK = 20_000
"""Number of records in memory at a time."""


@dataclass(frozen=True)
class Chunk:
    """Some records: values by column (a key, or a position in the header), their lines, and their problems.

    A column may be missing where no record has it. Problems count rows from the first record of the chunk.
    """

    columns: Mapping[str | int, Sequence[object]]
    lines: Rows
    problems: Sequence[Problem] = ()


@dataclass(frozen=True)
class Records:
    """All records of a file. `chunks` may be called several times."""

    facts: Callable[[], SourceFacts]
    chunks: Callable[[], Iterator[Chunk]]
    notes: Sequence[Problem] = ()
    encoding: str = ""
    header: Sequence[str] | None = None
    """The names of the columns by position. None means that each key is a column."""


@dataclass
class _Column:
    """The state of one column during the passes."""

    key: str | int
    original: str
    name: str
    seen: JsonColumnTally
    plan: Plan | None = None
    problems: list[Problems] = field(default_factory=list)
    misfits: list[Problems] = field(default_factory=list)

    def values(self, chunk: Chunk) -> Sequence[object]:
        return chunk.columns.get(self.key) or [None] * len(chunk.lines)

    @property
    def planned(self) -> Plan:
        assert self.plan is not None
        return self.plan


def read_records(
    records: Records, folder: Path, types: Mapping[str, str], key: str | None, progress: Progress | None = None
) -> Parts:
    """Write the records as part files into a folder."""
    reading = _Reading(records, types, key, progress)
    schema = reading.schema
    parts = tuple(
        write_part(folder / f"part-{number:05d}.parquet", some, schema)
        for number, some in enumerate(in_parts(ahead(reading.batches()), ROWS_PER_PART))
    )
    header = tuple(column.original for column in reading.columns)
    options = {"types": dict(types)} if types else {}
    report = LoadReport(
        reading.rows, reading.problems(), records.encoding, None, records.facts(),
        header=header, key=key, options=options,
    )  # fmt: skip
    return Parts(parts, report, frozenset(reading.flagged))


class _Reading:
    """The passes over the records of one file."""

    def __init__(self, records: Records, types: Mapping[str, str], key: str | None, progress: Progress | None) -> None:
        self._records = records
        self._progress = progress
        self.rows = 0
        self.flagged: set[str | None] = set()
        self._odd: list[Problems] = []
        self.columns = self._look(types)
        for column in self.columns:
            column.plan = column.seen.plan(column.name)
        self._make_sure()
        self._keys = Problems.of(()) if key is None else Problems.of(key_problems(self._key_table(key), key))
        self._known = Problems.joined([*self._odd, self._keys]).flagged_rows()

    @property
    def schema(self) -> pa.Schema:
        fields = [pa.field(column.name, column.planned.type) for column in self.columns]
        fields.append(pa.field(LINE_COLUMN, pa.int64()))
        fields += [pa.field(flag_column(number), pa.bool_()) for number in range(len(self.columns))]
        return pa.schema([*fields, *([pa.field(ROW_FLAG_COLUMN, pa.bool_())] if None in self._known else [])])

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Run the last pass: yield the converted rows."""
        start, schema = 0, self.schema
        for chunk in self._records.chunks():
            count = len(chunk.lines)
            arrays, flags = [], []
            for column in self.columns:
                piece = column.planned.read(column.values(chunk), chunk.lines)
                column.problems.append(Problems.of(piece.problems).moved(start))
                column.misfits.append(Problems.of(piece.misfits).moved(start))
                arrays.append(piece.values)
                odd = [problem.row for problem in (*piece.problems, *piece.misfits) if problem.row is not None]
                flags.append(self._flags(column.name, start, count, [*odd, *piece.doubtful.tolist()]))
            arrays.append(pa.array(chunk.lines))
            if None in self._known:
                flags.append(self._flags(None, start, count, []))
            yield pa.record_batch([*arrays, *flags], schema=schema)
            start += count
            if self._progress is not None:
                self._progress.step(start, self.rows, "writing")

    def problems(self) -> Problems:
        """Return all problems: about the file, its records, then column by column, then the key."""
        found = [Problems.of(self._records.notes), *self._odd]
        for column in self.columns:
            notes = [*self._renamed(column), *column.planned.notes]
            found += [Problems.of(notes), *column.problems, *column.misfits]
        return Problems.joined([*found, self._keys])

    def _look(self, types: Mapping[str, str]) -> list[_Column]:
        """Run the first pass: tally every column."""
        given = self._records.header
        names = None if given is None else clean_names(list(given))
        wishes = {name.lower(): kind for name, kind in types.items()}
        seen: dict[str | int, JsonColumnTally] = {}
        waiting: list[tuple[Chunk, int]] = []
        for position, name in enumerate(names or ()):
            seen[position] = JsonColumnTally(wishes.get(name.lower()))
        for chunk in self._records.chunks():
            for each, values in chunk.columns.items():
                if each not in seen:
                    seen[each] = JsonColumnTally(wishes.get(str(each).lower()))
                seen[each].add(values)
            if chunk.problems:
                waiting.append((Chunk({}, chunk.lines[:0], chunk.problems), self.rows))
            self.rows += len(chunk.lines)
        originals = [str(each) for each in seen] if given is None else list(given)
        called = clean_names([mended(each) for each in originals]) if names is None else names
        check_types(types, called)
        renamed = {} if names is not None else dict(zip(originals, called, strict=True))
        self._odd = [Problems.of(chunk.problems).moved(start).renamed(renamed) for chunk, start in waiting]
        columns = [_Column(*each) for each in zip(seen, originals, called, seen.values(), strict=True)]
        self._look_again(columns, wishes)
        return columns

    def _look_again(self, columns: Sequence[_Column], wishes: Mapping[str, str]) -> None:
        """Tally again the columns whose given type matches only the cleaned name, which the first pass did not know."""
        late = [each for each in columns if wishes.get(each.name.lower()) != each.seen.wish]
        for column in late:
            column.seen = JsonColumnTally(wishes.get(column.name.lower()))
        for chunk in self._records.chunks() if late else ():
            for column in late:
                column.seen.add(column.values(chunk))

    def _make_sure(self) -> None:
        """Run one more pass, only if a plan depends on all values."""
        doubtful = [column for column in self.columns if column.planned.is_uncertain]
        for chunk in self._records.chunks() if doubtful else ():
            for column in doubtful:
                if column.planned.is_uncertain and not column.planned.holds(column.values(chunk)):
                    column.plan = column.seen.without_doubt(column.planned)

    def _key_table(self, key: str) -> pa.Table:
        column = next((each for each in self.columns if each.name == key), None)
        if column is None:
            names = ", ".join(each.name for each in self.columns)
            raise UnknownColumn(f"The key {key} is not a column.", f"There are {names}.")
        values, lines = [], []
        for chunk in self._records.chunks():
            values.append(column.planned.read(column.values(chunk), chunk.lines).values)
            lines.append(pa.array(chunk.lines))
        whole = pa.chunked_array(values, column.planned.type)
        return pa.table({key: whole, LINE_COLUMN: pa.chunked_array(lines, pa.int64())})

    def _flags(self, name: str | None, start: int, count: int, odd: Sequence[int]) -> pa.Array:
        hit = np.zeros(count, dtype=bool)
        hit[list(odd)] = True
        known = self._known.get(name)
        if known is not None:
            first, last = np.searchsorted(known, [start, start + count])
            hit[known[first:last] - start] = True
        if hit.any():
            self.flagged.add(name)
        return pa.array(hit)

    def _renamed(self, column: _Column) -> Iterator[Problem]:
        word = "key" if self._records.header is None else "name"
        if (column.original if word == "key" else column.original.strip()) != column.name:
            what = f"The {word} {quoted(column.original)} cannot be used; the column is {column.name}."
            yield of_column(column.name, "renamed", what, column.original)


def replayed(chunks: Callable[[], Iterator[Chunk]], *, keep: bool) -> Callable[[], Iterator[Chunk]]:
    """Return a function that yields the same chunks each time. Those of a small file are kept after the first time."""
    kept: list[Chunk] = []
    done = False

    def read_chunks() -> Iterator[Chunk]:
        nonlocal done
        if done:
            yield from kept
            return
        for chunk in chunks():
            if keep:
                kept.append(chunk)
            yield chunk
        # Set only after the last chunk: a pass that stopped early has not kept them all.
        done = keep

    return read_chunks
