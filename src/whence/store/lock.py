"""The lock of a workspace: a file that the kernel unlocks however its holder ends."""

from __future__ import annotations

import fcntl
import json
import os
import socket
from pathlib import Path

from whence.model.errors import WorkspaceInUse


class WorkspaceLock:
    """The exclusive right to open a workspace. The lock file names the process that holds it."""

    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        self.is_held = True
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = _holder(self._descriptor)
            os.close(self._descriptor)
            raise WorkspaceInUse(
                f"The workspace {path.parent} is in use by {holder}.",
                "Close it there first, or open a copy of the folder.",
            ) from error
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, json.dumps({"pid": os.getpid(), "host": socket.gethostname()}).encode(), 0)

    def release(self) -> None:
        """Unlock the workspace. A second call does nothing."""
        if self.is_held:
            self.is_held = False
            # The file stays: if it were deleted, two processes could each lock a file of this name.
            os.close(self._descriptor)


def _holder(descriptor: int) -> str:
    try:
        found = json.loads(os.pread(descriptor, 4096, 0))
        return "this process" if found["pid"] == os.getpid() else f"process {found['pid']} on {found['host']}"
    except (ValueError, KeyError, TypeError):
        return "another process"
