"""Scratch space for text that was converted: in memory while it is small, in a file when it is not."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from mmap import ACCESS_READ, mmap
from pathlib import Path

from whence.loading.exact import Bytes
from whence.store.durable import writing

IN_MEMORY = 32 << 20
"""Bytes up to which a file is held in memory."""


class Scratch:
    """A folder for scratch files, which the caller removes. Without a folder everything stays in memory."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder

    def keep(self, pieces: Iterable[bytes]) -> Bytes:
        """Join the pieces and return them as bytes, in memory or as a mapped file."""
        held = bytearray()
        remaining = iter(pieces)
        for piece in remaining:
            held += piece
            if self.folder is not None and len(held) > IN_MEMORY:
                return self._on_disk(held, remaining)
        return bytes(held)

    def file(self) -> Path:
        """Return a new path for a scratch file."""
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
    """Return a file as bytes. A large one is memory-mapped, so that the system decides how much of it is in memory."""
    with path.open("rb") as file:
        if path.stat().st_size <= IN_MEMORY:
            return file.read()
        return mmap(file.fileno(), 0, access=ACCESS_READ)


def blocks(data: Bytes, start: int = 0, size: int = 8 << 20) -> Iterable[bytes]:
    """Yield the bytes from a position on, in blocks."""
    return (data[at : at + size] for at in range(start, len(data), size))
