"""Finds the server that has a workspace open, by a note file that each server writes and removes when it ends."""

from __future__ import annotations

import hashlib
import http.client
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit


@dataclass(frozen=True)
class RunningServer:
    """A running server: its workspace, its address, its token and its process."""

    workspace: str
    address: str
    token: str
    pid: int

    @property
    def link(self) -> str:
        """The link that opens its page in a browser."""
        return f"{self.address}/login?token={self.token}"


@contextmanager
def announced(workspace: str | os.PathLike[str], address: str, token: str) -> Iterator[RunningServer]:
    """Write a note about a server, and remove it when the block ends.

    The note holds the token, so only its user may read it. It is outside the workspace folder, because Python cells may
    read files there, and because people copy workspaces and send them to others.
    """
    server = RunningServer(str(Path(workspace).resolve()), address, token, os.getpid())
    note = _note(server.workspace)
    note.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    waiting = note.with_suffix(f".{os.getpid()}")
    waiting.unlink(missing_ok=True)
    # Created with mode 600 and O_EXCL, so that no one else can read it or have put a file there; then renamed, so that
    # a reader never sees half a note.
    with os.fdopen(os.open(waiting, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(asdict(server), file)
    waiting.replace(note)
    try:
        yield server
    finally:
        if _read(note) == server:  # a later server may have replaced the note by its own
            note.unlink(missing_ok=True)


def find_server(workspace: str | os.PathLike[str]) -> RunningServer | None:
    """Return the server that has a workspace open on this machine. Ignore the note of one that was killed."""
    server = _read(_note(str(Path(workspace).resolve())))
    return server if server is not None and _answers(server) else None


def _note(workspace: str) -> Path:
    home = os.environ.get("XDG_RUNTIME_DIR") or Path.home() / ".local" / "state"  # macOS and Windows set none
    return Path(home) / "whence" / f"{hashlib.sha256(workspace.encode()).hexdigest()[:24]}.json"


def _read(note: Path) -> RunningServer | None:
    try:
        return RunningServer(**json.loads(note.read_text()))
    except (OSError, ValueError, TypeError):
        return None


def _answers(server: RunningServer) -> bool:
    """Return whether this server listens at its address: another one would refuse the token."""
    connection = http.client.HTTPConnection(urlsplit(server.address).netloc, timeout=5)
    try:
        connection.request("GET", "/api/about", headers={"Authorization": f"Bearer {server.token}"})
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
