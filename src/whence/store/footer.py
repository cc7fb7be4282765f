"""The footer of a Parquet file, which says where everything in it lies and which no page checksum covers."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from whence.model.errors import DamagedFile

MAGIC = b"PAR1"
"""The first and the last bytes of a Parquet file."""

TRAILER = 8
"""Bytes of the trailer: four bytes of footer length, then the magic `PAR1`."""


@dataclass(frozen=True)
class Footer:
    """The bytes of footer and trailer, which are enough to read the file's metadata."""

    data: bytes

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the bytes."""
        return hashlib.sha256(self.data).hexdigest()


def read_footer(path: Path) -> tuple[int, Footer]:
    """Return the size of a Parquet file and its footer."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        trailer = _tail(file.fileno(), size, TRAILER)
        length = int.from_bytes(trailer[:4], "little") + TRAILER
        if trailer[4:] != MAGIC or length > size:
            raise DamagedFile(f"{path} is not a whole Parquet file.")
        return size, Footer(_tail(file.fileno(), size, length))


def _tail(descriptor: int, size: int, length: int) -> bytes:
    return os.pread(descriptor, length, max(size - length, 0))
