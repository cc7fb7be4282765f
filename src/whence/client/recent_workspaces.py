"""The workspaces that were served last on this machine, in a small file of the user's state folder."""

from __future__ import annotations

import json
import os
import shlex
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

MOST = 12


@dataclass(frozen=True)
class RecentWorkspace:
    """A workspace folder, and when a server of it was started or its page opened last."""

    path: str
    opened: str

    @property
    def name(self) -> str:
        """The name of the folder without its ending."""
        return Path(self.path).stem

    def command(self, *, is_served: bool) -> str:
        """Return the command that opens it: a server starts, unless there is one."""
        return f"whence {'open' if is_served else 'serve'} {shlex.quote(self.path)}"


def remember_workspace(path: str | os.PathLike[str]) -> None:
    """Put a workspace first in the list. A state folder that cannot be written only loses the list."""
    place = str(Path(path).resolve())
    entry = RecentWorkspace(place, datetime.now(UTC).isoformat(timespec="seconds"))
    listed = [entry, *(each for each in _read() if each.path != place)][:MOST]
    with suppress(OSError):
        _write(listed)


def recent_workspaces(without: str | os.PathLike[str]) -> list[RecentWorkspace]:
    """Return the other workspaces that are still there, the newest first."""
    here = str(Path(without).resolve())
    return [each for each in _read() if each.path != here and Path(each.path).is_dir()]


def _file() -> Path:
    home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(home) / "whence" / "recent.json"


def _read() -> list[RecentWorkspace]:
    try:
        return [RecentWorkspace(str(each["path"]), str(each["opened"])) for each in json.loads(_file().read_text())]
    except (OSError, ValueError, TypeError, KeyError):
        return []


def _write(listed: list[RecentWorkspace]) -> None:
    file = _file()
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    waiting = file.with_suffix(f".{os.getpid()}")
    waiting.write_text(json.dumps([asdict(each) for each in listed]))
    waiting.chmod(0o600)  # paths of a user are nobody else's business
    waiting.replace(file)  # so that a reader never sees half a list
