"""A file format for lists of row ids: fixed-width numbers in blocks with one checksum each, so a page checks one block.

The blocks come first, then their checksums, then a trailer, because a filter does not know in advance how many row ids
it will find.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from whence.model.errors import DamagedFile
from whence.store.durable import writing

Rids = npt.NDArray[np.int64]

BLOCK = 65_536
"""Row ids per block."""

_TRAILER = struct.Struct("<QIII8s")
"""Count, width of a number, checksum of the checksums, checksum of the trailer's numbers, magic."""

_MAGIC = b"whrids01"


def write_rids(path: Path, pieces: Iterable[Rids], rows: int) -> int:
    """Write pieces as one list of row ids below `rows`, and return how many there are.

    The file appears under its name when it is complete. It is not synced, because it can be computed again.
    """
    # Row ids below 2**31 fit a signed 32-bit number.
    width = 4 if rows <= 1 << 31 else 8
    waiting = path.with_name(f"{path.name}.{os.getpid()}-{os.urandom(4).hex()}")
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            count = _fill(waiting, pieces, width)
            waiting.replace(path)
        finally:
            waiting.unlink(missing_ok=True)
    return count


def _fill(path: Path, pieces: Iterable[Rids], width: int) -> int:
    checksums, count = [], 0
    with path.open("wb") as file:
        for block in _blocks(pieces):
            data = block.astype(f"<i{width}").tobytes()
            file.write(data)
            checksums.append(zlib.crc32(data))
            count += len(block)
        table = np.array(checksums, dtype="<u4").tobytes()
        numbers = struct.pack("<QII", count, width, zlib.crc32(table))
        file.write(table + numbers + struct.pack("<I8s", zlib.crc32(numbers), _MAGIC))
    return count


def _blocks(pieces: Iterable[Rids]) -> Iterator[Rids]:
    waiting: list[Rids] = []
    count = 0
    for piece in pieces:
        waiting.append(piece)
        count += len(piece)
        if count >= BLOCK:
            gathered = np.concatenate(waiting)
            whole = count - count % BLOCK
            yield from np.split(gathered[:whole], whole // BLOCK)
            waiting, count = [gathered[whole:]], count - whole
    if count:
        yield np.concatenate(waiting)


class RidFile:
    """A written list of row ids, memory-mapped. A block is checked when it is first read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self.count, width, self._checksums = self._read_trailer()
            self._rids = (
                np.memmap(path, dtype=f"<i{width}", mode="r", shape=(self.count,))
                if self.count
                else np.empty(0, dtype=np.int64)
            )
        except (OSError, ValueError, struct.error) as error:
            raise self._damaged() from error
        self._is_checked = np.zeros(len(self._checksums), dtype=bool)

    def read(self, start: int, stop: int) -> Rids:
        """Return the row ids at positions start..stop-1. Positions beyond the end are left out."""
        start, stop = min(start, self.count), min(stop, self.count)
        if start >= stop:
            return np.empty(0, dtype=np.int64)
        for block in range(start // BLOCK, (stop - 1) // BLOCK + 1):
            self._check(block)
        return self._rids[start:stop].astype(np.int64)

    def _check(self, block: int) -> None:
        if not self._is_checked[block]:
            data = self._rids[block * BLOCK : (block + 1) * BLOCK]
            if zlib.crc32(data.tobytes()) != self._checksums[block]:
                raise self._damaged()
            self._is_checked[block] = True

    def _read_trailer(self) -> tuple[int, int, npt.NDArray[np.uint32]]:
        with self._path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(size - _TRAILER.size)
            trailer = file.read(_TRAILER.size)
            count, width, of_table, of_numbers, magic = _TRAILER.unpack(trailer)
            blocks = -(-count // BLOCK)
            if magic != _MAGIC or zlib.crc32(trailer[:16]) != of_numbers:
                raise self._damaged()
            if size != count * width + 4 * blocks + _TRAILER.size:
                raise self._damaged()
            file.seek(count * width)
            table = file.read(4 * blocks)
        if zlib.crc32(table) != of_table:
            raise self._damaged()
        return count, width, np.frombuffer(table, dtype="<u4")

    def _damaged(self) -> DamagedFile:
        return DamagedFile(f"The file {self._path} is not what was written.", "Delete it; it is made again.")


def check_rids(path: Path) -> None:
    """Read every block of a file of row ids, so that damage anywhere is found."""
    file = RidFile(path)
    for start in range(0, file.count, BLOCK):
        file.read(start, start + BLOCK)
