"""Writes a part file again without some rows: column chunks in which nothing changes are copied as they are.

Encoding is what takes time when few rows go, so only the row groups that lose one are encoded again, and of the others
only the columns whose values change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from whence.store.durable import HashingFile, Syncs, write_file
from whence.store.footer import MAGIC, TRAILER
from whence.store.parts import PartFile, part_writer
from whence.store.thrift_compact import ThriftList, ThriftStruct, parse_struct, struct_bytes
from whence.store.types import storable, storable_schema

ReadRows = Callable[[int, int, Sequence[str]], pa.Table]
"""Reads the rows start..stop-1 of a part: these columns."""

Changes = Mapping[str, Callable[[pa.Array], pa.Array]]
"""By column name: what its values become."""

# Field numbers of Parquet's format: https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
_SCHEMA, _NUM_ROWS, _ROW_GROUPS = 2, 3, 4
_GROUP_CHUNKS, _GROUP_BYTES, _GROUP_ROWS, _GROUP_OFFSET, _GROUP_STORED, _GROUP_ORDINAL = 1, 2, 3, 5, 6, 7
_CHUNK_OFFSET, _CHUNK_FACTS, *_CHUNK_INDEXES = 2, 3, 4, 5, 6, 7
_FACTS_PLAIN, _FACTS_STORED, _DATA_PAGE, _INDEX_PAGE, _DICTIONARY_PAGE, *_BLOOM = 6, 7, 9, 10, 11, 14, 15
_NAME, _CHILDREN, _FIELD_ID = 4, 5, 9


@dataclass(frozen=True)
class _ParquetBytes:
    """The bytes of a Parquet file, and what its footer says."""

    data: memoryview
    footer: ThriftStruct

    @classmethod
    def of(cls, data: memoryview) -> _ParquetBytes:
        length = int.from_bytes(data[-TRAILER:-4], "little")
        return cls(data, parse_struct(bytes(data[-TRAILER - length : -TRAILER])))

    @property
    def leaves(self) -> dict[str, dict[int, tuple[int, object]]] | None:
        """Return by name what the schema says of each column; None if columns are nested."""
        _, *elements = self.footer[_SCHEMA].items
        if any(each.get(_CHILDREN) for each in elements):
            return None
        return {each[_NAME].decode(): each.without(_FIELD_ID).fields for each in elements}

    @property
    def groups(self) -> list[ThriftStruct]:
        found: list[ThriftStruct] = self.footer[_ROW_GROUPS].items
        return found


@dataclass(frozen=True)
class _Chunk:
    """One column of one row group: the bytes of its pages, and what a footer says of them."""

    pages: memoryview
    facts: ThriftStruct
    start: int

    @classmethod
    def of(cls, file: _ParquetBytes, chunk: ThriftStruct) -> _Chunk:
        facts = chunk[_CHUNK_FACTS]
        start = min(each for each in (facts[_DATA_PAGE], facts.get(_DICTIONARY_PAGE)) if each)
        return cls(file.data[start : start + facts[_FACTS_STORED]], facts, start)

    def placed_at(self, place: int) -> ThriftStruct:
        """Return what a footer says of the chunk at another place. Page indexes and Bloom filters are not copied."""
        facts = self.facts.without(*_BLOOM)
        for number in (_DATA_PAGE, _INDEX_PAGE, _DICTIONARY_PAGE):
            if facts.get(number):
                facts.put(number, facts[number] - self.start + place)
        # The first field is deprecated, and new writers give 0.
        return ThriftStruct({_CHUNK_OFFSET: (6, 0), _CHUNK_FACTS: (12, facts)})


def splice_part(
    path: Path,
    source: bytes,
    kept: npt.NDArray[np.bool_],
    read: ReadRows,
    changes: Changes,
    syncs: Syncs | None = None,
) -> PartFile | None:
    """Write the part of these bytes without the rows that `kept` leaves out.

    Return when it is on the disk, or leave that to `syncs`.
    Return None if the file cannot be spliced: a column is nested, or another program encodes it in another way.
    """
    old = _ParquetBytes.of(memoryview(source))
    leaves = old.leaves
    if leaves is None or any(each.get(_GROUP_CHUNKS) is None for each in old.groups):
        return None
    names = list(leaves)
    starts = np.concatenate([[0], np.cumsum([group[_GROUP_ROWS] for group in old.groups])]).astype(int).tolist()
    stretches = list(pairwise(starts))
    encoder = _Encoder(read, changes, kept)
    for start, stop in stretches:
        if not kept[start:stop].all():
            encoder.add(start, stop, names)
        elif changes:
            encoder.add(start, stop, [name for name in names if name in changes])
    encoded = encoder.finish()
    if any(leaves[name] != each for file, _ in encoded for name, each in (file.leaves or {}).items()):
        return None
    again = _chunks_by_name(encoded)
    footer = ThriftStruct({**old.footer.fields})

    def fill(file: HashingFile) -> None:
        file.write(MAGIC)
        groups: list[ThriftStruct] = []
        for (start, stop), group in zip(stretches, old.groups, strict=True):
            if kept[start:stop].any():
                here = zip(names, group[_GROUP_CHUNKS].items, strict=True)
                chunks = [again.get((start, name)) or _Chunk.of(old, chunk) for name, chunk in here]
                groups.append(_write_group(file, group, chunks, int(kept[start:stop].sum()), len(groups)))
        footer.put(_NUM_ROWS, int(kept.sum()))
        footer.put(_ROW_GROUPS, ThriftList(12, groups))
        written = struct_bytes(footer)
        file.write(written)
        file.write(len(written).to_bytes(4, "little") + MAGIC)

    file = write_file(path, fill, "sync-part", syncs)
    return PartFile(str(path), int(kept.sum()), file.size, file.sha256)


class _Encoder:
    """Encodes row groups again, each file with the groups of one set of columns."""

    def __init__(self, read: ReadRows, changes: Changes, kept: npt.NDArray[np.bool_]) -> None:
        self._read = read
        self._changes = changes
        self._kept = kept
        self._open: dict[tuple[str, ...], tuple[pq.ParquetWriter, pa.BufferOutputStream, list[int]]] = {}

    def add(self, start: int, stop: int, names: Sequence[str]) -> None:
        """Encode these columns of the rows that stay of one row group; if none stays, the group goes."""
        kept = self._kept[start:stop]
        if not names or not kept.any():
            return
        table = self._read(start, stop, names)
        table = table if kept.all() else table.filter(pa.array(kept))
        for place, name in enumerate(names):
            if name in self._changes:
                changed = self._changes[name](table.column(name).combine_chunks())
                table = table.set_column(place, table.schema.field(place), changed)
        table = storable(table)
        if tuple(names) not in self._open:
            sink = pa.BufferOutputStream()
            self._open[tuple(names)] = part_writer(sink, storable_schema(table.schema), table), sink, []
        writer, _, starts = self._open[tuple(names)]
        writer.write_table(table, row_group_size=max(table.num_rows, 1))
        starts.append(start)

    def finish(self) -> list[tuple[_ParquetBytes, list[int]]]:
        """Return the files, each with the first row of the old row group behind each of its own."""
        for writer, _, _ in self._open.values():
            writer.close()
        return [(_ParquetBytes.of(memoryview(sink.getvalue())), starts) for _, sink, starts in self._open.values()]


def _chunks_by_name(encoded: Sequence[tuple[_ParquetBytes, list[int]]]) -> dict[tuple[int, str], _Chunk]:
    found = {}
    for file, starts in encoded:
        for start, group in zip(starts, file.groups, strict=True):
            for name, chunk in zip(file.leaves or {}, group[_GROUP_CHUNKS].items, strict=True):
                found[start, name] = _Chunk.of(file, chunk)
    return found


def _write_group(
    file: HashingFile, group: ThriftStruct, chunks: Sequence[_Chunk], rows: int, number: int
) -> ThriftStruct:
    first, placed = file.tell(), []
    for chunk in chunks:
        placed.append(ThriftStruct(chunk.placed_at(file.tell()).fields))
        file.write(chunk.pages)
    made = ThriftStruct({**group.fields})
    made.put(_GROUP_CHUNKS, ThriftList(12, placed))
    made.put(_GROUP_ROWS, rows)
    made.put(_GROUP_BYTES, sum(chunk.facts[_FACTS_PLAIN] for chunk in chunks))
    for field, value in ((_GROUP_OFFSET, first), (_GROUP_STORED, file.tell() - first), (_GROUP_ORDINAL, number)):
        if made.get(field) is not None:
            made.put(field, value)
    return made
