"""Room for text that had to be written anew: memory while it is small, a file of its own when it is not."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from mmap import ACCESS_READ, mmap
from pathlib import Path

from whence.loading.exact import Bytes
from whence.store.durable import writing

IN_MEMORY = 32 << 20
"""Files up to this size are held in memory."""


class Scratch:
    """A folder that the caller removes; without one everything stays in memory."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder

    def keep(self, pieces: Iterable[bytes]) -> Bytes:
        """The pieces one after the other."""
        held = bytearray()
        remaining = iter(pieces)
        for piece in remaining:
            held += piece
            if self.folder is not None and len(held) > IN_MEMORY:
                return self._on_disk(held, remaining)
        return bytes(held)

    def file(self) -> Path:
        """A path nobody else writes to."""
        assert self.folder is not None
        self.folder.mkdir(parents=True, exist_ok=True)
        return self.folder / secrets.token_hex(8)

    def _on_disk(self, held: bytearray, remaining: Iterable[bytes]) -> Bytes:
        path = self.file()
        with writing(path), path.open("xb") as file:
            file.write(held)
            held.clear()
            for piece in remaining:
                file.write(piece)
        return mapped(path)


def mapped(path: Path) -> Bytes:
    """A file as bytes; a large one stays on the disk, and the system keeps in memory what it has room for."""
    with path.open("rb") as file:
        if path.stat().st_size <= IN_MEMORY:
            return file.read()
        return mmap(file.fileno(), 0, access=ACCESS_READ)


def blocks(data: Bytes, start: int = 0, size: int = 8 << 20) -> Iterable[bytes]:
    """The bytes from a position on, some at a time."""
    return (data[at : at + size] for at in range(start, len(data), size))
