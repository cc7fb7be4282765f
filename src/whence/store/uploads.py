"""Uploaded files for cells to load, stored as uploads/<hash of the content>/<file name>."""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Iterator
from pathlib import Path, PurePath

from whence.model.errors import BadInput
from whence.store.durable import HashingFile, hash_file, rename, sync_directory, writing
from whence.store.layout import Layout, entries

LONGEST_NAME = 200
"""Maximum length of a file name, in bytes."""


class Incoming:
    """A file that arrives piece by piece. It becomes visible with `finish`."""

    def __init__(self, layout: Layout, name: str) -> None:
        self._layout = layout
        self._name = _safe(name)
        self._waiting = layout.temporary / f"upload-{secrets.token_hex(8)}"
        with writing(self._waiting):
            self._file = HashingFile(self._waiting)

    @property
    def size(self) -> int:
        """Bytes received so far."""
        return self._file.size

    def write(self, piece: bytes) -> None:
        """Write one piece."""
        with writing(self._waiting):
            self._file.write(piece)

    def finish(self) -> str:
        """Store the file and return its path relative to the workspace, as a load cell names it."""
        with writing(self._waiting):
            self._file.sync("sync-upload")
            self._file.close()
            folder = self._layout.uploads / self._file.sha256
            folder.mkdir(parents=True, exist_ok=True)
            # The folder may be new, and so may `uploads` itself.
            for parent in (self._layout.uploads, self._layout.root):
                sync_directory(parent)
        rename(self._waiting, folder / self._name, "rename-upload")
        return (folder / self._name).relative_to(self._layout.root).as_posix()

    def drop(self) -> None:
        """Discard the file."""
        self._file.close()
        self._waiting.unlink(missing_ok=True)


def uploads_of(layout: Layout, sources: set[str]) -> Iterator[Path]:
    """Yield the upload folders that hold one of these source files."""
    return (folder for folder in entries(layout.uploads) if folder.name in sources)


def damaged_uploads(layout: Layout) -> Iterator[Path]:
    """Yield the files whose content does not have the hash that their folder names."""
    return (file for folder in entries(layout.uploads) for file in entries(folder) if hash_file(file) != folder.name)


def _safe(name: str) -> str:
    """Return the file's own name, without folders and control characters."""
    last = PurePath(name.replace("\\", "/")).name
    kept = "".join(sign for sign in last if unicodedata.category(sign)[0] != "C").strip(". ")
    if not kept or len(kept.encode()) > LONGEST_NAME:
        raise BadInput("The file has no name that can be kept.", f"Give one of 1 to {LONGEST_NAME} bytes.")
    return kept
