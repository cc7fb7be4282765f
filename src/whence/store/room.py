"""Disk space rules: no run begins on a disk that is nearly full, and metadata keeps a reserve.

On a full disk even deleting needs space, for the database's log. While the disk is far from full, free space is the
reserve. When it gets tight, whence preallocates a file, and deletes it when only metadata is left to be written.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from whence.model.errors import UserError

LEAST_FREE = 1 << 30
"""Bytes that must be free to begin a run, or a twentieth of the disk if that is less."""
TIGHT = 8 << 30
RESERVE = 64 << 20
FOR_METADATA = 24 << 20
"""Free bytes below which the reserve is given up.

The database's log is at most 16 MB, and is folded into the file when it has grown to that.
"""


class Room:
    """The disk of one workspace, and the disk of its datasets if that is another."""

    def __init__(self, root: Path, most: int | None = None, shared: Path | None = None) -> None:
        self._root = root
        self._shared = shared or root
        self.most = most
        """The most bytes a dataset may take. None means a third of the free space."""
        self._reserve = root / "reserve"
        total = shutil.disk_usage(root).total
        self.least = min(LEAST_FREE, total // 20)
        self._tight = min(TIGHT, total // 2)
        self._size = min(RESERVE, total // 8)
        self._for_metadata = min(FOR_METADATA, total // 16)

    @property
    def free(self) -> int:
        """Bytes that can be written, without the reserve."""
        return shutil.disk_usage(self._root).free

    def for_a_run(self) -> None:
        """Raise an error if the disk is nearly full. Create the reserve when space gets tight."""
        for place in dict.fromkeys((self._shared, self._root)):
            self._refuse_if_full(place)
        free = self.free
        if free >= self._tight:
            self._reserve.unlink(missing_ok=True)
        elif free > self._size + self.least and not self._reserve.exists():
            self._set_aside()

    def for_a_dataset(self, name: str, size: int) -> None:
        """Raise an error if a dataset takes more than its share of the disk. Its staged bytes count as free."""
        free = shutil.disk_usage(self._shared).free
        most = self.most if self.most is not None else (free + size) // 3
        if size > most:
            raise UserError(
                f"{name} takes {size / 2**20:,.1f} MB, and a dataset may take {most / 2**20:,.1f} MB.",
                "Keep fewer rows or columns, or allow more with whence.open(..., max_dataset_bytes=...).",
            )

    def for_metadata(self) -> None:
        """Delete the reserve file if the database could not be written without it."""
        if self.free < self._for_metadata:
            self._reserve.unlink(missing_ok=True)

    def _refuse_if_full(self, place: Path) -> None:
        disk = shutil.disk_usage(place)
        least = min(LEAST_FREE, disk.total // 20)
        if disk.free < least:
            raise UserError(
                f"Only {disk.free / 2**20:,.1f} MB are free on the disk of {place}; "
                f"new datasets are made while there are at least {least / 2**20:,.1f} MB.",
                "Free some space and try again.",
            )

    def _set_aside(self) -> None:
        with suppress(OSError):  # a file system that cannot preallocate has no reserve
            descriptor = os.open(self._reserve, os.O_WRONLY | os.O_CREAT, 0o644)
            try:
                os.posix_fallocate(descriptor, 0, self._size)
            except (OSError, AttributeError):
                self._reserve.unlink(missing_ok=True)
            finally:
                os.close(descriptor)
