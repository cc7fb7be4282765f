"""`whence serve` as a process of its own, and the processes that it starts."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from whence.client import Client

ROOT = Path(__file__).parent.parent.parent
KINDS = ("server", "java", "workers")


@dataclass(frozen=True)
class Served:
    """A server that runs, and a client for it."""

    client: Client
    pid: int

    def processes(self) -> list[tuple[str, psutil.Process]]:
        """The server and all that it started, with the kind of each: "server", "java" or "workers"."""
        root = psutil.Process(self.pid)
        found = [("server", root)]
        for process in root.children(recursive=True):
            try:
                found.append(("java" if process.name() == "java" else "workers", process))
            except psutil.NoSuchProcess:  # it has just ended
                continue
        return found


@contextmanager
def served(
    path: Path, temporary: Path, options: Sequence[str] = (), environment: Mapping[str, str] = os.environ
) -> Iterator[Served]:
    """Serve a workspace while the block runs, with the server's temporary files in one folder."""
    command = [sys.executable, "-W", "ignore", "-m", "whence", "serve", str(path), "--port", "0", "--no-browser"]
    command += options
    # Java takes all the memory it may before it cleans up: with little of it, what it really needs shows.
    environment = {**environment, "TMPDIR": str(temporary), "WHENCE_SPARK_MEMORY": "1g"}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found is not None, "the server ended without printing its link"
        try:
            yield Served(Client.from_link(found.group()), process.pid)
        finally:
            process.terminate()
