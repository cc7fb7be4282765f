"""`whence doctor`: checks what whence needs (Python, Java, Spark, memory, disk, ports), and says what to do."""

from __future__ import annotations

import os
import platform
import shutil
import socket
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from whence.cli.server_port import SERVER_PORT
from whence.engine.java import java_home
from whence.model.errors import UserError, WhenceError
from whence.notebook.workers.pool import Pool
from whence.notebook.workers.process import WorkerLost
from whence.store.doctor import doctor
from whence.store.layout import Layout
from whence.store.reports import read_reports
from whence.store.store import Store

_LEAST_DISK = 1 << 30
_LEAST_MEMORY = 2 << 30


@dataclass(frozen=True)
class Finding:
    """The result of one check."""

    is_well: bool
    text: str

    @property
    def line(self) -> str:
        """The line that the terminal shows."""
        return f"{'ok ' if self.is_well else 'BAD'}  {self.text}"


def checkup(workspace: Path | None) -> list[Finding]:
    """Run all checks, without starting Spark."""
    around = [_python(), _java(), _spark(), _memory(), _disk(workspace or Path()), *_ports(), _cells()]
    return [*around, *_workspace(workspace)]


def _python() -> Finding:
    is_well = sys.version_info >= (3, 11)
    advice = "" if is_well else "; install Python 3.11 or newer"
    return Finding(is_well, f"Python {platform.python_version()}{advice}")


def _java() -> Finding:
    try:
        return Finding(True, f"Java at {java_home()}")
    except WhenceError as error:
        return Finding(False, str(error))


def _spark() -> Finding:
    return Finding(True, f"PySpark {version('pyspark')}")


def _memory() -> Finding:
    if not hasattr(os, "sysconf"):
        return Finding(True, "memory: not known on this system")
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    advice = "" if total >= _LEAST_MEMORY else "; Spark needs about 2 GB"
    return Finding(total >= _LEAST_MEMORY, f"memory {total / 2**30:.1f} GB{advice}")


def _disk(place: Path) -> Finding:
    existing = next(folder for folder in (place.absolute(), *place.absolute().parents) if folder.exists())
    free = shutil.disk_usage(existing).free
    advice = "" if free >= _LEAST_DISK else "; free at least 1 GB before loading data"
    return Finding(free >= _LEAST_DISK, f"disk {free / 2**30:.1f} GB free at {existing}{advice}")


def _ports() -> Iterator[Finding]:
    """Check ports of this machine: Spark talks to Python over one, and the server needs another."""
    if not _can_listen(0):
        yield Finding(False, "no port of 127.0.0.1 can be opened; Spark needs one: check the sandbox or firewall")
        return
    taken = "" if _can_listen(SERVER_PORT) else f"; {SERVER_PORT} is taken, so give `whence serve` another --port"
    yield Finding(True, f"ports of 127.0.0.1 can be opened{taken}")


def _can_listen(port: int) -> bool:
    with socket.socket() as listener:
        try:
            listener.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _cells() -> Finding:
    """Check how well Python cells are isolated, by starting a worker and asking it."""
    with tempfile.TemporaryDirectory(prefix="whence-") as folder:
        pool = Pool(Path(folder), kept=0)
        try:
            return Finding(True, pool.level().describe())
        except WorkerLost as lost:
            return Finding(False, str(lost))
        finally:
            pool.close()


def _workspace(path: Path | None) -> Iterator[Finding]:
    """Check the files of a workspace, and mention reports of internal errors."""
    if path is None:
        return
    if not path.exists():
        yield Finding(False, f"There is no workspace at {path}.")
        return
    try:
        store = Store.open(path)
    except WhenceError as error:
        yield Finding(False, str(error))
        return
    try:
        problems = doctor(store)
        count = len(store.datasets())
    finally:
        store.close()
    yield from (Finding(False, problem) for problem in problems)
    if count_of_reports := len(read_reports(Layout(path))):
        yield Finding(True, f"internal errors: {count_of_reports} reports; `whence doctor --reports` lists them")
    if not problems:
        yield Finding(True, f"workspace {path.name}: {count} datasets, every file as it was written")


def report_lines(path: Path | None) -> list[str]:
    """Return one line for each report of an internal error, the newest first. A server may have the workspace open."""
    if path is None or not path.is_dir():
        raise UserError("There is no workspace to list reports of.", "Name its folder: whence doctor --reports FOLDER.")
    found = [report.line for report in read_reports(Layout(path))]
    return found or [f"workspace {path.name}: no internal error was reported"]
