"""One worker process: started confined and warm, talked to, and killed with everything it started."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from whence.engine.confine.confine import Level, Limits
from whence.engine.confine.paths import package_root
from whence.notebook.workers import policy
from whence.notebook.workers.channel import Channel, ChannelBroken

_START = "import sys; sys.path[:0] = [sys.argv[2]]; from {module} import main; main(int(sys.argv[1]))".format(
    module="whence.notebook.workers.inside.main"
)
WARM = ("numpy", "pandas", "pyarrow", "pyarrow.parquet")
_PATIENCE = 60.0


class WorkerLost(Exception):
    """The process did not come up."""


class Worker:
    """A process that waits for its one run."""

    def __init__(self, folder: Path, limits: Limits, connect: Sequence[int] = (), warm: Sequence[str] = ()) -> None:
        self.folder = folder
        self.limits = limits
        folder.mkdir(parents=True, mode=0o700)
        ours, theirs = socket.socketpair()
        ours.settimeout(_PATIENCE)
        pipes = {name: os.pipe() for name in ("stdout", "stderr")}
        self.printed = {name: reading for name, (reading, _) in pipes.items()}
        """What the process, or a program it starts, writes without Python."""
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _START, str(theirs.fileno()), str(package_root())],
                stdin=subprocess.DEVNULL,
                stdout=pipes["stdout"][1],
                stderr=pipes["stderr"][1],
                env=policy.environment(folder),
                cwd=folder,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        finally:
            theirs.close()
            for _, writing in pipes.values():
                os.close(writing)
        self._is_ended = False
        self.channel = Channel(ours)
        self.level: Level | None = None
        self.channel.send(
            {
                "t": "start",
                "path": policy.import_path(),
                "read": policy.readable(),
                "write": policy.writable(folder),
                "connect": list(connect),
                "limits": asdict(limits),
                "parent": os.getpid(),
                "folder": str(folder),
                "warm": [*WARM, *warm],
            }
        )

    @property
    def pid(self) -> int:
        """Its number, which is that of its group, too."""
        return self._process.pid

    def ready(self) -> Level:
        """Wait until it is warm."""
        if self.level is None:
            try:
                answer: Any = self.channel.receive()
            except ChannelBroken as error:
                said = self._last_words()
                self.kill()
                raise WorkerLost(f"The Python process of a cell did not start: {said}") from error
            self.level = Level(**answer["level"])
        return self.level

    def interrupt(self) -> None:
        """Ask it to stop, as Ctrl-C does."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGINT)

    def kill(self) -> None:
        """End it and everything it started, and remove its files; nothing a process does can prevent this."""
        if self._is_ended:  # its number may belong to somebody else by now
            return
        self._is_ended = True
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait()
        self.channel.close()
        for reading in self.printed.values():
            os.close(reading)
        self.printed = {}

    @property
    def is_alive(self) -> bool:
        """Whether it can still be talked to."""
        return not self._is_ended and self.exit_code() is None

    def exit_code(self) -> int | None:
        """How it ended; None while it runs."""
        return self._process.poll()

    def wait(self, seconds: float = 2.0) -> int | None:
        """How it ended, once it has; None if it goes on."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(seconds)
        return None

    def remove_files(self) -> None:
        """Remove what it wrote."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _last_words(self) -> str:
        os.set_blocking(self.printed["stderr"], False)
        with contextlib.suppress(BlockingIOError):
            lines = os.read(self.printed["stderr"], 1 << 16).decode(errors="replace").strip().splitlines()
            return lines[-1] if lines else "it said nothing"
        return "it said nothing"
