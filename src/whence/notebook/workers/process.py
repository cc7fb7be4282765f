"""One worker process: starts it, talks to it, and kills it with everything it started."""

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
from whence.engine.confine.paths import import_path, package_root
from whence.notebook.workers import policy
from whence.notebook.workers.channel import Channel, ChannelBroken
from whence.notebook.workers.relay import Relay

_START = "import sys; sys.path[:0] = [sys.argv[2]]; from {module} import main; main(int(sys.argv[1]))".format(
    module="whence.notebook.workers.inside.main"
)
WARM = ("numpy", "pandas", "pyarrow", "pyarrow.parquet")
"""Modules that a worker imports before it is ready."""
_PATIENCE = 60.0
"""Seconds that the server waits for a worker to start, or to take a message."""


class WorkerLost(Exception):
    """The process did not start."""


class Worker:
    """A process for one run of a cell, or for one session."""

    def __init__(self, folder: Path, limits: Limits, connect: Sequence[int] = (), warm: Sequence[str] = ()) -> None:
        self.folder = folder
        self.limits = limits
        folder.mkdir(parents=True, mode=0o700)
        ours, theirs = socket.socketpair()
        ours.settimeout(_PATIENCE)
        pipes = {name: os.pipe() for name in ("stdout", "stderr")}
        self.printed = {name: reading for name, (reading, _) in pipes.items()}
        """Pipes with what the process, or a program it starts, writes past Python's own streams."""
        try:
            # -I and -S keep PYTHON* variables, the working folder and hooks of site-packages out of the process.
            # A session of its own is a process group of its own, which `kill` ends as a whole.
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
            # Our copies of the worker's ends must go, or reading would never come to an end when the worker does.
            theirs.close()
            for _, writing in pipes.values():
                os.close(writing)
        self._is_ended = False
        self.channel = Channel(ours)
        self.level: Level | None = None
        self._relays: list[Relay] = []
        with contextlib.suppress(ChannelBroken):  # it has ended already: `ready` says why
            self.channel.send(
                {
                    "t": "start",
                    "path": import_path(),
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
        """The id of the process, which is also that of its process group."""
        return self._process.pid

    def ready(self) -> Level:
        """Wait until the process is confined and has imported its modules. Return how it is confined."""
        if self.level is None:
            try:
                answer: Any = self.channel.receive()
            except ChannelBroken as error:
                said = self._last_words()
                self.kill()
                raise WorkerLost(f"The Python process of a cell did not start: {said}") from error
            self.level = Level(**answer["level"])
            # They were opened before any code of a user ran.
            doors = [socket.socket(fileno=each) for each in self.channel.take(answer["doors"])]
            self._relays = list(map(Relay, doors))
        return self.level

    def interrupt(self) -> None:
        """Ask the process to stop, as Ctrl-C does."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGINT)

    def kill(self) -> None:
        """Kill the process and everything it started. It cannot prevent that. Its files stay until `remove_files`."""
        if self._is_ended:  # the process id may belong to another process by now
            return
        self._is_ended = True
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait()
        self.channel.close()
        for relay in self._relays:
            relay.close()
        for reading in self.printed.values():
            os.close(reading)
        self.printed = {}

    @property
    def is_alive(self) -> bool:
        """Whether the process runs and can be talked to."""
        return not self._is_ended and self.exit_code() is None

    def exit_code(self) -> int | None:
        """Return the exit code, which is negative for a signal; None while the process runs."""
        return self._process.poll()

    def wait(self, seconds: float = 2.0) -> int | None:
        """Wait for the end of the process and return its exit code; None if it still runs after these seconds."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(seconds)
        return None

    def remove_files(self) -> None:
        """Remove the folder of the process."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _last_words(self) -> str:
        os.set_blocking(self.printed["stderr"], False)
        with contextlib.suppress(BlockingIOError):
            lines = os.read(self.printed["stderr"], 1 << 16).decode(errors="replace").strip().splitlines()
            return lines[-1] if lines else "it said nothing"
        return "it said nothing"
