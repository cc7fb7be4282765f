"""Verifies files against their manifest once per opening of the workspace."""

from __future__ import annotations

from pathlib import Path

from whence.model.errors import DamagedFile
from whence.store.durable import hash_file
from whence.store.manifest import StoredFile


class VerifiedFiles:
    """Cache of verified files. It hashes a file on first use, and again when its size, time or inode has changed."""

    def __init__(self) -> None:
        self._seen: dict[Path, tuple[int, int, int]] = {}

    def file(self, path: Path, expected: StoredFile) -> Path:
        """Return the path. Raise `DamagedFile` if its content is not what was written."""
        try:
            status = path.stat()
            mark = (status.st_size, status.st_mtime_ns, status.st_ino)
            if self._seen.get(path) != mark:
                if status.st_size != expected.size or hash_file(path) != expected.sha256:
                    raise DamagedFile(f"The file {path} is not what was written.")
                self._seen[path] = mark
        except OSError as error:
            raise DamagedFile(f"The file {path} cannot be read: {error.strerror}.") from error
        return path
