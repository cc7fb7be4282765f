"""Servers for browser tests: in a thread of this process, or in a process of their own."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

import uvicorn

import whence
from tests.confinement import UNCONFINED
from whence.client.running import announced
from whence.server.run import LOOPBACK, listen, make_web_server

ROOT = Path(__file__).parents[2]
PATIENCE = 120
"""Seconds that a server has to open its workspace."""


@dataclass(frozen=True)
class Served:
    """A running server."""

    link: str

    @property
    def address(self) -> str:
        return self.link.partition("/login")[0]


@dataclass(frozen=True)
class ServedApart(Served):
    """A running server and its process."""

    process: subprocess.Popen[str]


@contextmanager
def serving(workspace: Path, port: int = 0) -> Iterator[Served]:
    """Serve a workspace from a thread, on the Spark that this process has already.

    A process of its own starts another Spark, which costs more than most tests.
    """
    running: Queue[tuple[uvicorn.Server, str] | BaseException] = Queue()
    thread = threading.Thread(target=_serve_here, args=(workspace, port, running), daemon=True)
    thread.start()
    started = running.get(timeout=PATIENCE)
    if isinstance(started, BaseException):
        raise started
    web_server, link = started
    try:
        yield Served(link)
    finally:
        web_server.should_exit = True
        thread.join(PATIENCE)


def _serve_here(
    folder: Path, port: int, running: Queue[tuple[uvicorn.Server, str] | BaseException], token: str = "a-token"
) -> None:
    try:
        with listen(port) as listener, whence.open(folder) as workspace:
            port = listener.getsockname()[1]
            web_server = make_web_server(workspace, token, port)
            with announced(workspace.path, f"http://{LOOPBACK}:{port}", token) as server:
                running.put((web_server, server.link))
                web_server.run(sockets=[listener])
    except BaseException as error:
        running.put(error)


@contextmanager
def serving_apart(workspace: Path, port: int = 0) -> Iterator[ServedApart]:
    """`whence serve` on a workspace: for tests that end the server or stop Spark, or need PySpark in Python cells."""
    options = ("--port", str(port), "--no-browser", *UNCONFINED)
    command = [sys.executable, "-m", "whence", "serve", str(workspace), *options]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found, "the server ended without printing its link"
        try:
            yield ServedApart(found.group(), process)
        finally:
            process.terminate()
            process.wait(20)
