"""The daemon that forks Python workers for Spark: PySpark's own, but each task has a process and sandbox of its own.

Spark gives a worker to one task after the other, of any cell. So that no function finds what an earlier one left
behind, the worker only keeps the connection, and forks a process for each task.
"""

from __future__ import annotations

import hmac
import importlib
import importlib.util
import json
import os
import shutil
import signal
import socket
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

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
    """Return the function for a forked process: it checks that Spark calls, and has each task run in a sandbox."""
    secrets = [secret]

    def work(connection: socket.socket, is_known: bool) -> int:
        if not is_known:
            _take_signals()
            if not _is_spark(connection, secrets.pop()):
                return 1
            importlib.import_module(sys.argv[1])
        return _run_apart(lambda: worker(connection, True), settings)

    return work


def _take_signals() -> None:
    """End by the signals that the daemon ignores, and hear of the end of tasks."""
    for each in (signal.SIGHUP, signal.SIGCHLD, signal.SIGTERM):
        signal.signal(each, signal.SIG_DFL)


def _run_apart(task: Callable[[], int], settings: dict[str, Any]) -> int:
    """Run a task in a confined process and return its exit code. End with it if it ends before it says how."""
    reading, writing = os.pipe()
    process = os.fork()
    if not process:
        os.close(reading)
        _run(task, settings, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read(2)
    os.waitpid(process, 0)
    shutil.rmtree(_folder(settings, process), ignore_errors=True)
    if len(said) < 2:
        os._exit(1)  # closes the connection: Spark waits for an answer that nobody will give
    code, has_arrow = said
    if has_arrow:
        _load_arrow()
    return code


def _run(task: Callable[[], int], settings: dict[str, Any], writing: int) -> NoReturn:
    """Be the process of one task: it says its exit code, and whether it needed Arrow."""
    try:
        _enter_sandbox(settings)
        code = task()
        os.write(writing, bytes([code & 255, "pyarrow" in sys.modules]))
    except BaseException:
        traceback.print_exc()
    os._exit(0)


def _load_arrow() -> None:
    """Import what the functions of the next tasks will want, once for all of them."""
    for name in ("concurrent.futures.thread", "pyarrow.pandas_compat", "pyspark.sql.pandas.serializers"):
        if importlib.util.find_spec(name):
            importlib.import_module(name)


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
    folder = _folder(settings, os.getpid())
    # The task that had this number before leaves its folder if Spark killed it.
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    os.chdir(folder)
    os.environ.update({name: str(folder) for name in ("HOME", "TMPDIR", "MPLCONFIGDIR")})
    allowed = AccessRules(tuple(settings["read"]), (*settings["write"], str(folder)), processes=False)
    confine(allowed, Limits(**settings["limits"]), os.getppid())


def _folder(settings: dict[str, Any], process: int) -> Path:
    return Path(settings["folder"], str(process))
