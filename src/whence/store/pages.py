"""Reads rows by row id from Parquet: finds the part and the row groups, and reads only those."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from whence.model.errors import DamagedFile
from whence.model.schema import ID_PREFIX, INTERNAL_PREFIX, LINE_COLUMN
from whence.store.footer import read_footer
from whence.store.manifest import Manifest, StoredPart

Rids = npt.NDArray[np.int64]

MayBe = Callable[[Any, Any], bool]
"""Whether a value that is looked for may lie between these two, both included."""

_STRETCH_ROWS = 262_144
_STRETCH_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True)
class _OpenPart:
    """A part whose footer was read. `starts` holds the row id at which each row group begins."""

    path: Path
    metadata: pq.FileMetaData
    schema: pa.Schema
    starts: Rids


class Pages:
    """Reader of the parts of one dataset version."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self._folder = folder
        self._manifest = manifest
        self._offsets = np.array([part.offset for part in manifest.parts], dtype=np.int64)
        # Footers of wide datasets are large, and a page needs one or two of them.
        self._open = lru_cache(maxsize=64)(self._open_part)

    def read(self, start: int, stop: int, columns: Sequence[str]) -> pa.Table:
        """Return the rows start..stop-1."""
        pieces = []
        for number, part in enumerate(self._manifest.parts):
            low, high = max(start, part.offset), min(stop, part.offset + part.rows)
            if low < high:
                pieces.append(self._read_part(self._open(number), low, high, columns))
        return pa.concat_tables(pieces) if pieces else self.empty(columns)

    def take(self, rids: Rids, columns: Sequence[str]) -> pa.Table:
        """Return the rows of these row ids, in this order. Each row group that holds one is read once."""
        is_ordered = bool((rids[1:] > rids[:-1]).all())
        wanted, places = (rids, None) if is_ordered else np.unique(rids, return_inverse=True)
        pieces = [
            self._take_of_group(opened, group, inside, columns) for opened, group, inside in self._groups_with(wanted)
        ]
        if not pieces:
            return self.empty(columns)
        taken = pa.concat_tables(pieces)
        return taken if places is None else taken.take(places)

    def scan(self, columns: Sequence[str]) -> Iterator[tuple[int, pa.Table]]:
        """Yield all rows in batches of whole row groups that fit in memory, as (row id of the first row, rows)."""
        for number in range(len(self._manifest.parts)):
            opened = self._open(number)
            for groups in _stretches(opened.metadata, columns):
                yield int(opened.starts[groups[0]]), self._read_groups(opened, groups, columns)

    def scan_where(self, column: str, may_be: MayBe) -> Iterator[tuple[int, pa.Table]]:
        """Yield a column by row group, as (row id of the first row, rows).

        Row groups are left out if `may_be` says of the least and greatest value that no value between is looked for.
        """
        for number, part in enumerate(self._manifest.parts):
            opened = self._open(number)
            for group, start in enumerate(opened.starts.tolist()):
                # What other programs write about values in their files is not relied on.
                ends = None if part.changed is not None else _ends(opened, group, column)
                if ends is None or may_be(*ends):
                    yield start, self._read_groups(opened, [group], [column])

    @property
    def schema(self) -> pa.Schema:
        """Every stored column with its type, including internal columns."""
        return self._open(0).schema

    def raw_size(self) -> int:
        """Return the approximate number of bytes of all columns without compression."""
        opened = (self._open(number) for number in range(len(self._manifest.parts)))
        return sum(
            each.metadata.row_group(n).total_byte_size for each in opened for n in range(each.metadata.num_row_groups)
        )

    def empty(self, columns: Sequence[str]) -> pa.Table:
        """Return a table without rows that has the columns' types."""
        return pick(self._open(0).schema.empty_table(), columns)

    def _read_part(self, opened: _OpenPart, start: int, stop: int, columns: Sequence[str]) -> pa.Table:
        first = int(np.searchsorted(opened.starts, start, side="right")) - 1
        last = int(np.searchsorted(opened.starts, stop, side="left"))
        table = self._read_groups(opened, list(range(first, last)), columns)
        return table.slice(start - int(opened.starts[first]), stop - start)

    def _groups_with(self, wanted: Rids) -> Iterator[tuple[_OpenPart, int, Rids]]:
        for number, rids in _split(wanted, self._offsets):
            opened = self._open(number)
            for group, inside in _split(rids, opened.starts):
                yield opened, group, inside - opened.starts[group]

    def _take_of_group(self, opened: _OpenPart, group: int, inside: Rids, columns: Sequence[str]) -> pa.Table:
        table = self._read_groups(opened, [group], columns)
        return table if len(inside) == table.num_rows else table.take(inside)

    def _read_groups(self, opened: _OpenPart, groups: list[int], columns: Sequence[str]) -> pa.Table:
        present = [name for name in dict.fromkeys(columns) if name in opened.schema.names]
        rows = sum(opened.metadata.row_group(group).num_rows for group in groups)
        if not present:
            return pick(pa.table({}), columns, rows)
        try:
            with pq.ParquetFile(opened.path, metadata=opened.metadata, page_checksum_verification=True) as file:
                # pyarrow reads the column "a.b" as well when asked for "a", so the names are picked once more below.
                # One group is decoded before other threads have even begun.
                table = file.read_row_groups(groups, columns=present, use_threads=len(groups) > 1)
        except (OSError, pa.ArrowException) as error:
            raise DamagedFile(f"The part {opened.path} cannot be read: {error}.") from error
        return pick(table.select(present), columns, rows)

    def _open_part(self, number: int) -> _OpenPart:
        part = self._manifest.parts[number]
        path = self._folder / part.path
        metadata = _checked_metadata(path, part)
        sizes = [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)]
        starts = np.concatenate([[0], np.cumsum(sizes[:-1], dtype=np.int64)]).astype(np.int64) + part.offset
        return _OpenPart(path, metadata, metadata.schema.to_arrow_schema(), starts)


def _stretches(metadata: pq.FileMetaData, columns: Sequence[str]) -> Iterator[list[int]]:
    """Yield lists of row groups to read together: at least 262,144 rows or 32 MB each, except the last."""
    gathered: list[int] = []
    rows = size = 0
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        gathered.append(number)
        rows += group.num_rows
        size += _size_of(group, columns)
        if rows >= _STRETCH_ROWS or size >= _STRETCH_BYTES:
            yield gathered
            gathered, rows, size = [], 0, 0
    if gathered:
        yield gathered


def _ends(opened: _OpenPart, group: int, column: str) -> tuple[object, object] | None:
    """Return the least and greatest value of a column in a row group, NULL left out; None if the file does not say."""
    if any(pa.types.is_nested(each) for each in opened.schema.types):  # columns of the file are their leaves
        return None
    statistics = opened.metadata.row_group(group).column(opened.schema.get_field_index(column)).statistics
    return (statistics.min, statistics.max) if statistics is not None and statistics.has_min_max else None


def _size_of(group: pq.RowGroupMetaData, columns: Sequence[str]) -> int:
    chunks = (group.column(number) for number in range(group.num_columns))
    return sum(chunk.total_uncompressed_size for chunk in chunks if chunk.path_in_schema.split(".")[0] in columns)


def _split(rids: Rids, starts: Rids) -> Iterator[tuple[int, Rids]]:
    """Split sorted row ids at the given starts. Yield (index of the start, row ids from there on), no empty pieces."""
    cuts = np.searchsorted(rids, starts)
    for number, piece in enumerate(np.split(rids, cuts[1:])):
        if len(piece):
            yield number, piece


def _checked_metadata(path: Path, part: StoredPart) -> pq.FileMetaData:
    try:
        size, footer = read_footer(path)
    except OSError as error:
        raise DamagedFile(f"The part {path} cannot be read: {error.strerror}.") from error
    if size != part.size or footer.sha256 != part.footer_sha256:
        if part.changed is not None:
            raise DamagedFile(f"{path.readlink()} was changed since it was loaded.", "Load it again as a new version.")
        raise DamagedFile(f"The part {path} is not what was written.")
    return pq.read_metadata(pa.BufferReader(footer.data))


def pick(table: pa.Table, columns: Sequence[str], rows: int = 0) -> pa.Table:
    """Return the columns in this order. An internal column that a part lacks is null (lines) or false (doubt flags)."""
    picked: list[Any] = [
        table.column(name) if name in table.column_names else _absent(name, rows or table.num_rows) for name in columns
    ]
    return pa.table(picked, names=list(columns))


def _absent(name: str, rows: int) -> pa.Array:
    # Ids that are not there must not be taken for those of row 0.
    if not name.startswith(INTERNAL_PREFIX) or name.startswith(ID_PREFIX):
        raise DamagedFile(f"A part does not hold the column {name}.")
    return pa.nulls(rows, pa.int64()) if name == LINE_COLUMN else pa.array(np.zeros(rows, dtype=bool))
