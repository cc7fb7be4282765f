"""The daemon that forks Python workers for Spark: PySpark's own, but each worker first enters a sandbox."""

from __future__ import annotations

import hmac
import importlib
import json
import os
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from whence.engine.confine.confine import Limits, confine
from whence.engine.confine.landlock import AccessRules

Worker = Callable[[socket.socket, bool], int]
"""Serves one task over a socket; the flag says whether the other side has proved to be Spark."""


def main(policy: str, descriptor: str, module: str) -> None:
    """Serve Spark until it closes the standard input. The secret is read from a pipe."""
    settings = json.loads(Path(policy).read_text(encoding="utf-8"))
    with os.fdopen(int(descriptor), encoding="utf-8") as pipe:
        secret = pipe.read()
    sys.path[:] = settings["path"]
    sys.argv = ["pyspark.daemon", module]
    # Not at the top of this file: its folder is on the path only now.
    daemon = importlib.import_module("pyspark.daemon")
    daemon.worker = sandboxed(daemon.worker, settings, secret)  # type: ignore[attr-defined]
    daemon.manager()


def sandboxed(worker: Worker, settings: dict[str, Any], secret: str) -> Worker:
    """Return the function for a forked process: it checks that Spark calls, confines the process, and works."""
    secrets = [secret]

    def work(connection: socket.socket, is_known: bool) -> int:
        if not is_known:
            if not _is_spark(connection, secrets.pop()):
                return 1
            _enter_sandbox(settings)
        return worker(connection, True)

    return work


def _is_spark(connection: socket.socket, secret: str) -> bool:
    """Read the secret that Spark sends first, and answer whether it is the right one."""
    length = int.from_bytes(_receive(connection, 4), "big")
    is_right = hmac.compare_digest(_receive(connection, min(length, 1024)), secret.encode())
    answer = b"ok" if is_right else b"err"
    connection.sendall(len(answer).to_bytes(4, "big") + answer)
    return is_right


def _receive(connection: socket.socket, count: int) -> bytes:
    received = b""
    while len(received) < count and (piece := connection.recv(count - len(received))):
        received += piece
    return received


def _enter_sandbox(settings: dict[str, Any]) -> None:
    folder = Path(settings["folder"], str(os.getpid()))
    folder.mkdir(exist_ok=True)
    os.chdir(folder)
    os.environ.update({name: str(folder) for name in ("HOME", "TMPDIR", "MPLCONFIGDIR")})
    # The daemon ignores the end of its children, and `confine` waits for one.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    allowed = AccessRules(tuple(settings["read"]), (*settings["write"], str(folder)), processes=False)
    confine(allowed, Limits(**settings["limits"]), os.getppid())
