"""The form of one part file of a dataset: Parquet in row groups small enough for a page, with checksums.

Used in this process and inside Spark's tasks alike, so it knows nothing of workspaces.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from whence.store.durable import HashingFile, sync_and_hash, write_file
from whence.store.types import storable, storable_schema

ROW_GROUP = 32_768
"""Rows per row group: a page of 100 rows decodes one or two of these, so they are small."""

ROWS_PER_PART = 128 * ROW_GROUP

_LOOKED_AT = 4096
"""Values of a column that show whether they repeat."""


@dataclass(frozen=True)
class PartFile:
    """One written part: where it is now, and what its bytes must be for ever."""

    path: str
    rows: int
    size: int
    sha256: str
    """Of a file that is not ours, the hash of its footer alone."""
    changed: int | None = None
    """When a file that is not ours was last written, in nanoseconds; None for one of our own."""


def write_part(path: Path, batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> PartFile:
    """Write batches as one part file and return when it is on the disk."""
    rows = 0

    def fill(file: HashingFile) -> None:
        nonlocal rows
        groups = map(storable, _row_groups(batches, schema))
        first = next(groups, None)
        with _writer(file, storable_schema(schema), first) as writer:
            for group in groups if first is None else chain((first,), groups):
                writer.write_table(group, row_group_size=ROW_GROUP)
                rows += group.num_rows

    path.parent.mkdir(parents=True, exist_ok=True)
    file = write_file(path, fill, "sync-part")
    return PartFile(str(path), rows, file.size, file.sha256)


def adopt_part(path: Path, rows: int) -> PartFile:
    """Take a file that somebody else has written as a part, and return when it is on the disk."""
    size, sha256 = sync_and_hash(path, "sync-part")
    return PartFile(str(path), rows, size, sha256)


def read_parts(parts: Iterable[PartFile], columns: Sequence[str]) -> pa.Table:
    """These columns of files that were just written, in the order of the parts."""
    tables = []
    for part in parts:
        with pq.ParquetFile(part.path) as file:
            tables.append(file.read(list(columns)).select(list(columns)))
    return pa.concat_tables(tables)


def write_table(directory: Path, table: pa.Table) -> tuple[PartFile, ...]:
    """Write an in-memory table as one or more parts; no rows still make one part."""
    starts = range(0, max(table.num_rows, 1), ROWS_PER_PART)
    return tuple(
        write_part(directory / f"part-{n:05d}.parquet", table.slice(start, ROWS_PER_PART).to_batches(), table.schema)
        for n, start in enumerate(starts)
    )


def _writer(file: HashingFile, schema: pa.Schema, first: pa.Table | None) -> pq.ParquetWriter:
    target = pa.PythonFile(file, mode="w")
    repeating = True if first is None else _repeating(first)
    return pq.ParquetWriter(target, schema, compression="zstd", write_page_checksum=True, use_dictionary=repeating)


def _repeating(table: pa.Table) -> list[str] | bool:
    """The columns worth a dictionary: for values that hardly repeat, building one costs more than all else.

    Parts of nested values cannot be chosen by the name of their column; with such columns all have one.
    """
    if any(pa.types.is_nested(field.type) for field in table.schema):
        return True
    some = table.slice(0, _LOOKED_AT)
    columns = zip(some.column_names, some.columns, strict=True)
    return [name for name, column in columns if 2 * pc.count_distinct(column, mode="all").as_py() <= len(column)]


def _row_groups(batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> Iterator[pa.Table]:
    """Regroup batches of any size: a writer call makes at least one row group, so small batches must be gathered."""
    waiting: list[pa.RecordBatch] = []
    count = 0
    for batch in batches:
        waiting.append(batch)
        count += batch.num_rows
        if count < ROW_GROUP:
            continue
        gathered = pa.Table.from_batches(waiting, schema)
        whole = count - count % ROW_GROUP
        for start in range(0, whole, ROW_GROUP):
            yield gathered.slice(start, ROW_GROUP)
        waiting, count = gathered.slice(whole).to_batches(), count - whole
    if count:
        yield pa.Table.from_batches(waiting, schema)
