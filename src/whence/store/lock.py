"""Who holds a workspace: a lock file that the kernel frees however its holder ends."""

from __future__ import annotations

import fcntl
import json
import os
import socket
from pathlib import Path

from whence.model.errors import WorkspaceInUse


class WorkspaceLock:
    """The right to write to a workspace; the file says who has it."""

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
        """Let others open the workspace; once is enough, a second call does nothing."""
        if self.is_held:
            self.is_held = False
            os.close(self._descriptor)


def _holder(descriptor: int) -> str:
    try:
        found = json.loads(os.pread(descriptor, 4096, 0))
        return "this process" if found["pid"] == os.getpid() else f"process {found['pid']} on {found['host']}"
    except (ValueError, KeyError, TypeError):
        return "another process"
