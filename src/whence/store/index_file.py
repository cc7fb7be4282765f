"""Index file: narrow arrays, memory-mapped, one checksum per block.

The arrays come first, then a heading with the checksums of their blocks, then a trailer. A block is checked when it is
first touched, so a file of any size opens at once and a small answer reads a small part of it.

The file is not synced: it can be made again, and what a crash leaves behind fails the checks.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from whence.model.errors import DamagedFile
from whence.store.arrays import Array
from whence.store.durable import writing

BLOCK = 16_384
"""Numbers per block."""

_TRAILER = struct.Struct("<QQII8s")
"""Start and length of the heading, its checksum, checksum of the trailer's numbers, magic."""

_MAGIC = b"whindx01"
_ALIGNED = 64


def write_index(path: Path, arrays: Mapping[str, Array], facts: Mapping[str, object]) -> None:
    """Write arrays, and facts about them as JSON. The file appears under its name when it is complete."""
    waiting = path.with_name(f"{path.name}.{os.getpid()}-{os.urandom(4).hex()}")
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            _fill(waiting, arrays, facts)
            waiting.replace(path)
        finally:
            waiting.unlink(missing_ok=True)


def _fill(path: Path, arrays: Mapping[str, Array], facts: Mapping[str, object]) -> None:
    placed: dict[str, object] = {}
    with path.open("wb") as file:
        for name, array in arrays.items():
            file.write(b"\0" * (-file.tell() % _ALIGNED))
            start = file.tell()
            data = _bytes_of(np.ascontiguousarray(array))
            file.write(data)
            step = BLOCK * array.dtype.itemsize
            sums = [zlib.crc32(data[place : place + step]) for place in range(0, len(data), step)]
            placed[name] = {"type": array.dtype.str, "count": len(array), "start": start, "sums": sums}
        heading = json.dumps({"arrays": placed, "facts": dict(facts)}).encode()
        numbers = struct.pack("<QQI", file.tell(), len(heading), zlib.crc32(heading))
        file.write(heading + numbers + struct.pack("<I8s", zlib.crc32(numbers), _MAGIC))


class MappedArray:
    """An array in a mapped file. It returns numbers only from blocks whose checksum is right."""

    def __init__(self, path: Path, numbers: Array, sums: list[int]) -> None:
        self._path = path
        self._numbers = numbers
        self._sums = sums
        self._unchecked: set[int] = set(range(len(sums)))

    def __len__(self) -> int:
        return len(self._numbers)

    def part(self, start: int, stop: int) -> Array:
        """Return the numbers at positions start..stop-1 without copying them."""
        if self._unchecked and stop > start:
            self._check(range(start // BLOCK, (stop - 1) // BLOCK + 1))
        return self._numbers[start:stop]

    def take(self, places: npt.NDArray[np.int64]) -> Array:
        """Return the numbers at these positions."""
        if self._unchecked and len(places):
            # Beyond some number of places it is quicker to check everything than to find out which blocks they touch.
            touched = np.unique(places // BLOCK).tolist() if len(places) < len(self._numbers) >> 4 else self._unchecked
            self._check(list(touched))
        return self._numbers[places]

    def _check(self, blocks: range | list[int]) -> None:
        for block in blocks:
            if block in self._unchecked:
                data = self._numbers[block * BLOCK : (block + 1) * BLOCK]
                if zlib.crc32(_bytes_of(data)) != self._sums[block]:
                    raise damaged(self._path)
                self._unchecked.discard(block)


class IndexFile:
    """An open index file: its arrays, and the facts stored with them."""

    def __init__(self, path: Path) -> None:
        try:
            with path.open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            heading = _heading(path, mapped, size)
            self.facts: dict[str, Any] = heading["facts"]
            self.arrays = {name: _mapped(path, mapped, place) for name, place in heading["arrays"].items()}
        except (OSError, ValueError, KeyError, TypeError, struct.error) as error:
            raise damaged(path) from error

    def check(self) -> None:
        """Check every block. Raise `DamagedFile` if one is not what was written."""
        for array in self.arrays.values():
            array.part(0, len(array))


def damaged(path: Path) -> DamagedFile:
    """Return the error for a file whose bytes are not those that were written."""
    return DamagedFile(f"The file {path} is not what was written.", "Delete it; it is made again.")


def _heading(path: Path, mapped: mmap.mmap, size: int) -> dict[str, dict[str, Any]]:
    trailer = mapped[max(size - _TRAILER.size, 0) :]
    start, length, of_heading, of_numbers, magic = _TRAILER.unpack(trailer)
    if magic != _MAGIC or zlib.crc32(trailer[:20]) != of_numbers or start + length + _TRAILER.size != size:
        raise damaged(path)
    heading = mapped[start : start + length]
    if zlib.crc32(heading) != of_heading:
        raise damaged(path)
    content: dict[str, dict[str, Any]] = json.loads(heading)
    return content


def _mapped(path: Path, mapped: mmap.mmap, place: dict[str, Any]) -> MappedArray:
    numbers = np.frombuffer(mapped, dtype=np.dtype(place["type"]), count=place["count"], offset=place["start"])
    return MappedArray(path, numbers, place["sums"])


def _bytes_of(numbers: Array) -> memoryview:
    return numbers.view(np.uint8).data
