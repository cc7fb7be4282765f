"""The watchdog's thread: it never ends beside a run that has just started, and stops late runs under the lock."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import cast

from whence.engine.process import SparkProcess
from whence.model.notebook import CellHash, CellId, CellRun, Entry, new_cell_run_id
from whence.notebook.control import Progress, RunControl
from whence.notebook.schedule.active_run import ActiveRun
from whence.notebook.schedule.shared_cells import SharedCells
from whence.notebook.schedule.survey import Launch
from whence.notebook.schedule.watchdog import Watchdog


class HookedLock(threading.Condition):
    """A lock that calls a function once, in the watchdog's thread, just after that has released the lock."""

    def __init__(self) -> None:
        super().__init__(threading.RLock())
        self.then: Callable[[], None] | None = None
        self.holder: int | None = None

    def __enter__(self) -> bool:
        entered = super().__enter__()
        self.holder = threading.get_ident()
        return entered

    def __exit__(self, *error: object) -> None:
        self.holder = None
        super().__exit__(None, None, None)
        if threading.current_thread().name == "whence-watch" and self.then is not None:
            then, self.then = self.then, None
            then()


class NoSpark:
    """A Spark that has nothing to do."""

    def seconds_waited(self, group: str) -> float:
        return 0.0


class OneRun:
    """A runner whose every run is late; one that is told to stop has ended."""

    time_limit: float | None = -1.0
    shared: SharedCells | None = None

    def __init__(self) -> None:
        self.lock = HookedLock()
        self.active: list[ActiveRun] = []
        self.stopped = threading.Event()
        self.was_locked = False

    def stop(self, active: ActiveRun) -> None:
        self.was_locked = self.lock.holder == threading.get_ident()
        self.active.remove(active)
        self.stopped.set()

    def advance(self, cell: CellId, progress: Progress) -> None:
        raise AssertionError

    def refresh(self) -> None:
        raise AssertionError


def a_run() -> ActiveRun:
    entry = Entry(CellId("c1"), CellHash("h"))
    run = CellRun(new_cell_run_id(), entry.cell, entry.hash, "running", {})
    return ActiveRun(run, Launch(entry, {}, {}), RunControl("group"), time.monotonic())


def test_a_run_that_starts_as_the_thread_ends_is_watched() -> None:
    runner = OneRun()
    watchdog = Watchdog(cast("SparkProcess", NoSpark()), runner)

    def start() -> None:
        with runner.lock:
            runner.active.append(a_run())
            watchdog.begin()

    runner.lock.then = start
    with runner.lock:
        watchdog.begin()
    assert runner.stopped.wait(20), "the new run has no watchdog"
    watchdog.join()


def test_a_late_run_is_stopped_under_the_lock() -> None:
    runner = OneRun()
    watchdog = Watchdog(cast("SparkProcess", NoSpark()), runner)
    with runner.lock:
        runner.active.append(a_run())
        watchdog.begin()
    assert runner.stopped.wait(20)
    watchdog.join()
    assert runner.was_locked
