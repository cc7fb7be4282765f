"""A file format for rows in blocks of 256. Each block can be read, checked and decoded on its own.

A Parquet row group is a hundred times larger, which suits scans and is too much for a hundred scattered rows.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.model.errors import DamagedFile
from whence.store.durable import writing

BLOCK_ROWS = 256

_CODEC = "lz4"
_MAGIC = b"whblok01"
_TRAILER = struct.Struct("<QIII8s")
"""Number of blocks, bytes of schema, checksum of schema and index, checksum of the trailer's numbers, magic."""

_ENTRY = np.dtype([("offset", "<u8"), ("size", "<u4"), ("raw", "<u4"), ("crc", "<u4")])


def write_blocks(path: Path, tables: Iterable[pa.Table], schema: pa.Schema) -> None:
    """Write the rows of tables. The file appears when it is complete, and is not synced: it can be made again."""
    # A random name: two threads may write the same file at once, and the last rename wins.
    waiting = path.with_name(f"{path.name}.{os.urandom(4).hex()}")
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            _fill(waiting, tables, schema)
            waiting.replace(path)
        finally:
            waiting.unlink(missing_ok=True)


def _fill(path: Path, tables: Iterable[pa.Table], schema: pa.Schema) -> None:
    codec = pa.Codec(_CODEC)
    entries: list[tuple[int, int, int, int]] = []
    offset = 0
    with path.open("wb") as file:
        for batch in _regrouped(tables, schema):
            raw = batch.serialize()
            data = codec.compress(raw, asbytes=True)
            file.write(data)
            entries.append((offset, len(data), raw.size, zlib.crc32(data)))
            offset += len(data)
        head = schema.serialize().to_pybytes()
        tail = head + np.array(entries, dtype=_ENTRY).tobytes()
        numbers = struct.pack("<QII", len(entries), len(head), zlib.crc32(tail))
        file.write(tail + numbers + struct.pack("<I8s", zlib.crc32(numbers), _MAGIC))


def _regrouped(tables: Iterable[pa.Table], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Yield the rows in batches of `BLOCK_ROWS`. The last one may be shorter."""
    rest = schema.empty_table()
    for table in tables:
        gathered = pa.concat_tables([rest, table]).combine_chunks()
        whole = gathered.num_rows - gathered.num_rows % BLOCK_ROWS
        yield from _batches(gathered.slice(0, whole))
        rest = gathered.slice(whole)
    yield from _batches(rest.combine_chunks())


def _batches(table: pa.Table) -> Iterator[pa.RecordBatch]:
    if table.num_rows:
        yield from table.to_batches(max_chunksize=BLOCK_ROWS)


class BlockFile:
    """An open file of blocks. Every read checks the block's checksum."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._codec = pa.Codec(_CODEC)
        try:
            self._descriptor = os.open(path, os.O_RDONLY)
        except OSError as error:
            raise DamagedFile(f"The file {path} cannot be read: {error.strerror}.") from error
        try:
            self.schema, self._index = self._read_tail()
        except (struct.error, OSError, pa.ArrowException) as error:
            self.close()
            raise self._damaged() from error
        except DamagedFile:
            self.close()
            raise

    def take(self, rids: npt.NDArray[np.int64]) -> pa.Table:
        """Return the rows of these row ids, which must be sorted and unique."""
        if not len(rids):
            return self.schema.empty_table()
        blocks, starts = np.unique(rids // BLOCK_ROWS, return_index=True)
        pieces = np.split(rids % BLOCK_ROWS, starts[1:])
        read = [self._read(int(block)).take(pa.array(inside)) for block, inside in zip(blocks, pieces, strict=True)]
        return pa.Table.from_batches(read, self.schema)

    def check(self) -> None:
        """Read every block. Raise `DamagedFile` if one fails its checksum."""
        for block in range(len(self._index)):
            self._read(block)

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)

    def _read(self, block: int) -> pa.RecordBatch:
        entry = self._index[block]
        # `pread` has no shared position, so threads may read through one descriptor.
        data = os.pread(self._descriptor, int(entry["size"]), int(entry["offset"]))
        if zlib.crc32(data) != entry["crc"]:
            raise self._damaged()
        raw = self._codec.decompress(data, int(entry["raw"]))
        return pa.ipc.read_record_batch(raw, self.schema)

    def _read_tail(self) -> tuple[pa.Schema, npt.NDArray[np.void]]:
        size = os.fstat(self._descriptor).st_size
        trailer = os.pread(self._descriptor, _TRAILER.size, max(size - _TRAILER.size, 0))
        blocks, head, of_tail, of_numbers, magic = _TRAILER.unpack(trailer)
        length = head + blocks * _ENTRY.itemsize
        if magic != _MAGIC or zlib.crc32(trailer[:16]) != of_numbers or length + _TRAILER.size > size:
            raise self._damaged()
        tail = os.pread(self._descriptor, length, size - _TRAILER.size - length)
        if zlib.crc32(tail) != of_tail:
            raise self._damaged()
        return pa.ipc.read_schema(pa.py_buffer(tail[:head])), np.frombuffer(tail[head:], dtype=_ENTRY)

    def _damaged(self) -> DamagedFile:
        return DamagedFile(f"The file {self._path} is not what was written.", "Delete it; it is made again.")


def check_blocks(path: Path) -> None:
    """Open a file of blocks and read every block, so that damage anywhere is found."""
    file = BlockFile(path)
    try:
        file.check()
    finally:
        file.close()
