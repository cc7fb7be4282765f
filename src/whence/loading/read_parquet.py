"""Reads Parquet files as the parts of one dataset, in batches. Types stay, and values that do not fit are problems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from whence.loading.ahead import ahead
from whence.loading.decide import check_types
from whence.loading.delimited import Parts
from whence.loading.header import clean_names
from whence.loading.infer import look, read_as
from whence.loading.keys import key_problems
from whence.loading.passes import in_parts
from whence.loading.problem_table import Problems
from whence.loading.problems import Problem, of_column, quoted
from whence.loading.progress import Progress
from whence.loading.report import LoadReport, SourceFacts
from whence.loading.tally import Reading, Tally
from whence.loading.wishes import wished
from whence.loading.words import Rows, as_mask
from whence.model.errors import BadInput
from whence.model.schema import flag_column
from whence.store.durable import hash_file
from whence.store.parts import ROW_GROUP, ROWS_PER_PART, write_part
from whence.store.rowkeys import as_text

_BATCH = 4 * ROW_GROUP


def read_parquet(
    path: Path,
    folder: Path,
    types: Mapping[str, str] | None = None,
    key: str | None = None,
    progress: Progress | None = None,
) -> Parts:
    """Write a Parquet file as parts into a folder. Only a few batches are in memory at a time."""
    facts = SourceFacts(str(path.resolve()), hash_file(path), path.stat().st_size)
    return rewrite_parquet([path], folder, facts, types=types or {}, key=key, progress=progress)


def rewrite_parquet(
    files: Sequence[Path],
    folder: Path,
    facts: SourceFacts,
    types: Mapping[str, str],
    key: str | None,
    progress: Progress | None = None,
) -> Parts:
    """Write the rows of these files as parts, in order. A column that a file lacks is NULL there, with a note."""
    given = _Files(files)
    columns = _columns(given, types)
    renamed = Problems.of([*_renamed(columns), *given.lacking()])
    keys = Problems.of(key_problems(_key_table(given, columns, key), key)) if key is not None else Problems.of(())
    found = _Findings(keys.flagged_rows().get(key, np.zeros(0, np.int64)), key)
    schema = _schema(columns, found)
    batches = ahead(_converted(given, columns, found, schema, progress))
    parts = tuple(
        write_part(folder / f"part-{number:05d}.parquet", some, schema)
        for number, some in enumerate(in_parts(batches, ROWS_PER_PART))
    )
    ordered = [problem for column in columns for problem in found.problems.get(column.name, [])]
    problems = Problems.joined([renamed, *ordered, keys])
    header, options = tuple(column.original for column in columns), {"types": dict(types)} if types else {}
    report = LoadReport(found.rows, problems, "", None, facts, header=header, key=key, options=options)
    return Parts(parts, report, frozenset(found.flagged))


class _Files:
    """The batches of several files under one schema."""

    def __init__(self, files: Sequence[Path]) -> None:
        self._files = files
        schemas = [self._open(file).schema_arrow for file in files]
        self.schema = _united(files, schemas)
        self._lacks = {
            file.name: missing
            for file, schema in zip(files, schemas, strict=True)
            if (missing := [name for name in self.schema.names if name not in schema.names])
        }
        self.rows = sum(self._open(file).metadata.num_rows for file in files)

    def lacking(self) -> Iterator[Problem]:
        """Yield a note for each column that a file does not have."""
        for file, names in self._lacks.items():
            for name in names:
                what = f"{file} has no column {name}, so its rows are empty there."
                yield of_column(clean_names(list(self.schema.names))[self.schema.names.index(name)], "no column", what)

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield every row once, in order."""
        for path in self._files:
            try:
                file = self._open(path)
                for group in range(file.num_row_groups):  # one by one: of several groups Arrow reads all ahead
                    for batch in file.iter_batches(_BATCH, row_groups=[group]):
                        yield _under(batch, self.schema)
            except (pa.ArrowException, OSError) as error:
                raise _unreadable(path, error) from error

    def texts(self, position: int) -> Iterator[pa.Array]:
        """Yield one column as text."""
        return (as_text(batch.column(position)) for batch in self.batches())

    def _open(self, path: Path) -> pq.ParquetFile:
        try:
            return pq.ParquetFile(path, page_checksum_verification=True, pre_buffer=False)
        except (pa.ArrowException, OSError) as error:
            raise _unreadable(path, error) from error


def _united(files: Sequence[Path], schemas: Sequence[pa.Schema]) -> pa.Schema:
    """Return all columns of all files by name. Raise an error if a column has two types."""
    if all(schema.equals(schemas[0]) for schema in schemas):
        return schemas[0]
    types: dict[str, tuple[pa.DataType, Path]] = {}
    for file, schema in zip(files, schemas, strict=True):
        for field_ in schema:
            kind, first = types.setdefault(field_.name, (field_.type, file))
            if kind != field_.type:
                raise BadInput(
                    f"Column {field_.name} is {kind} in {first.name} and {field_.type} in {file.name}.",
                    "Load the files one by one and unite them in a query that says which type is meant.",
                )
    return pa.schema([pa.field(name, kind) for name, (kind, _) in types.items()])


def _under(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """Return the batch with the columns of the dataset, in their order."""
    if batch.schema.names == schema.names:
        return batch
    names = set(batch.schema.names)
    columns = [
        batch.column(each.name) if each.name in names else pa.nulls(batch.num_rows, each.type) for each in schema
    ]
    return pa.record_batch(columns, names=schema.names)


@dataclass(frozen=True)
class _Column:
    """One column: its name in the file and in the dataset, its type, and the reading for a type that the user chose."""

    original: str
    name: str
    type: pa.DataType
    wish: Reading | None

    @property
    def is_too_fine(self) -> bool:
        """Whether the times are in nanoseconds. Spark has no times finer than a microsecond."""
        return bool(pa.types.is_timestamp(self.type) and self.type.unit == "ns")

    @property
    def stored(self) -> pa.DataType:
        """The type in which the column is stored."""
        if self.wish is not None:
            return self.wish.type
        if pa.types.is_time(self.type):
            return pa.string()
        return pa.timestamp("us", self.type.tz) if self.is_too_fine else self.type

    def fitted(self, values: pa.Array, row: int) -> tuple[pa.Array, list[Problem]]:
        """Convert some of the values to the stored type. A value that does not fit becomes NULL and a problem."""
        if self.wish is not None:
            lines = np.arange(row + 1, row + 1 + len(values))
            typed = read_as(self.name, as_text(values), lines, self.wish)
            return typed.values, typed.problems
        if self.is_too_fine:
            return _coarser(self.name, values, row)
        return (values.cast(pa.string()) if pa.types.is_time(self.type) else values), []


@dataclass
class _Findings:
    """Problems and flags found during the conversion."""

    repeated: Rows
    key: str | None
    rows: int = 0
    problems: dict[str, list[Problems]] = field(default_factory=dict)
    flagged: set[str | None] = field(default_factory=set)


def _columns(files: _Files, types: Mapping[str, str]) -> list[_Column]:
    originals = list(files.schema.names)
    names = clean_names(originals)
    check_types(types, names)
    wishes = {name.lower(): kind for name, kind in types.items()}
    readings = [
        _wish(files, position, wishes[name.lower()]) if name.lower() in wishes else None
        for position, name in enumerate(names)
    ]
    kinds = files.schema.types
    return [_Column(*each) for each in zip(originals, names, kinds, readings, strict=True)]


def _wish(files: _Files, position: int, kind: str) -> Reading:
    tally = Tally()
    for texts in files.texts(position):
        tally.add(look(texts).tally)
    return wished(kind, tally)


def _key_table(files: _Files, columns: Sequence[_Column], key: str) -> pa.Table:
    place = next((place for place, column in enumerate(columns) if column.name == key), None)
    if place is None:
        # `key_problems` then raises an error that names the columns.
        return pa.table({column.name: pa.array([], pa.null()) for column in columns})
    chunks = [batch.column(place) for batch in files.batches()]
    return pa.table({key: pa.chunked_array(chunks, columns[place].type)})


def _schema(columns: Sequence[_Column], found: _Findings) -> pa.Schema:
    fields = [pa.field(column.name, column.stored) for column in columns]
    return pa.schema([*fields, *(pa.field(flag_column(n), pa.bool_()) for n in _may_be_flagged(columns, found))])


def _may_be_flagged(columns: Sequence[_Column], found: _Findings) -> list[int]:
    has_repeats = len(found.repeated) > 0
    return [
        position
        for position, column in enumerate(columns)
        if column.wish is not None or column.is_too_fine or (has_repeats and column.name == found.key)
    ]


def _converted(
    files: _Files, columns: Sequence[_Column], found: _Findings, schema: pa.Schema, progress: Progress | None
) -> Iterator[pa.RecordBatch]:
    for batch in files.batches():
        arrays, flags = [], []
        for position, (column, values) in enumerate(zip(columns, batch.columns, strict=True)):
            fitted, problems = column.fitted(values, found.rows)
            arrays.append(fitted.combine_chunks() if isinstance(fitted, pa.ChunkedArray) else fitted)
            if position in _may_be_flagged(columns, found):
                flags.append(_flags(column, problems, batch.num_rows, found))
            if problems:
                # A chosen type counts rows from the batch, the others from the first row of all.
                offset = found.rows if column.wish is not None else 0
                found.problems.setdefault(column.name, []).append(Problems.of(problems).moved(offset))
        found.rows += batch.num_rows
        yield pa.record_batch([*arrays, *flags], schema=schema)
        if progress is not None:
            progress.step(found.rows, files.rows, "writing")


def _flags(column: _Column, problems: Sequence[Problem], rows: int, found: _Findings) -> pa.Array:
    hit = np.zeros(rows, dtype=bool)
    start = 0 if column.wish is not None else found.rows
    hit[[problem.row - start for problem in problems if problem.row is not None]] = True
    if column.name == found.key:
        first, last = np.searchsorted(found.repeated, [found.rows, found.rows + rows])
        hit[found.repeated[first:last] - found.rows] = True
    if hit.any():
        found.flagged.add(column.name)
    return pa.array(hit)


def _renamed(columns: Sequence[_Column]) -> Iterator[Problem]:
    for column in columns:
        if column.original != column.name:
            what = f"The name {quoted(column.original)} cannot be used; the column is {column.name}."
            yield of_column(column.name, "renamed", what, column.original)
    for column in columns:
        if pa.types.is_time(column.type) and column.wish is None:
            yield of_column(column.name, "time of day", f"Column {column.name}: its times of day are text.")


def _coarser(name: str, values: pa.Array, row: int) -> tuple[pa.Array, list[Problem]]:
    """Convert times to microseconds. A finer one becomes NULL and a problem."""
    kind = values.type
    coarse = values.cast(pa.timestamp("us", kind.tz), safe=False)
    finer = as_mask(pc.not_equal(coarse.cast(kind), values))
    texts = values.filter(pa.array(finer)).cast(pa.string()).to_pylist()
    problems = []
    for place, text in zip(np.flatnonzero(finer).tolist(), texts, strict=True):
        what = f"{text} in column {name}, row {row + place}, is finer than a microsecond."
        problems.append(Problem(row=row + place, column=name, line=None, text=text, kind="too fine", message=what))
    return pc.if_else(pa.array(finer), pa.scalar(None, coarse.type), coarse), problems


def _unreadable(path: Path, error: Exception) -> BadInput:
    return BadInput(f"The Parquet file {path} cannot be read: {error}.", "Get it again.")
