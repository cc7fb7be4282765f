"""Which server has which workspace open: a note that a server leaves for its own user, and takes away when it ends."""

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
    """Where a server listens, and what opens it."""

    workspace: str
    address: str
    token: str
    pid: int

    @property
    def link(self) -> str:
        """Opens its page."""
        return f"{self.address}/login?token={self.token}"


@contextmanager
def announced(workspace: str | os.PathLike[str], address: str, token: str) -> Iterator[RunningServer]:
    """Leave a note about a server while it runs.

    The note holds the token, so only its user may read it, and it lies outside the workspace: Python cells may read
    files there, and a workspace is copied and sent around.
    """
    server = RunningServer(str(Path(workspace).resolve()), address, token, os.getpid())
    note = _note(server.workspace)
    note.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    waiting = note.with_suffix(f".{os.getpid()}")
    waiting.unlink(missing_ok=True)
    with os.fdopen(os.open(waiting, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(asdict(server), file)
    waiting.replace(note)
    try:
        yield server
    finally:
        if _read(note) == server:
            note.unlink(missing_ok=True)


def find_server(workspace: str | os.PathLike[str]) -> RunningServer | None:
    """The server that has a workspace open on this machine; a note of one that was killed does not count."""
    server = _read(_note(str(Path(workspace).resolve())))
    return server if server is not None and _answers(server) else None


def _note(workspace: str) -> Path:
    home = os.environ.get("XDG_RUNTIME_DIR") or Path.home() / ".local" / "state"
    return Path(home) / "whence" / f"{hashlib.sha256(workspace.encode()).hexdigest()[:24]}.json"


def _read(note: Path) -> RunningServer | None:
    try:
        return RunningServer(**json.loads(note.read_text()))
    except (OSError, ValueError, TypeError):
        return None


def _answers(server: RunningServer) -> bool:
    """Whether it is that server that listens there: another one would not know the token."""
    connection = http.client.HTTPConnection(urlsplit(server.address).netloc, timeout=5)
    try:
        connection.request("GET", "/api/about", headers={"Authorization": f"Bearer {server.token}"})
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
