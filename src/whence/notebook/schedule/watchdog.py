"""The watchdog of running cells: reports progress, enforces the time limit, and restarts Spark if it must."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from typing import Protocol

from whence.engine.interrupt import PATIENCE
from whence.engine.process import SparkProcess
from whence.model.notebook import CellId
from whence.notebook.control import Progress
from whence.notebook.schedule.active_run import ActiveRun
from whence.notebook.schedule.shared_cells import SharedCells

HARD_AFTER = PATIENCE
"""Seconds after which the watchdog restarts Spark to stop a cancelled cell that still runs there."""
_LOOK = 0.2
"""Seconds between two rounds over the running cells."""
_PROGRESS = 1.0
"""Seconds between two requests for the progress of a cell: each costs Spark as much as a small query."""


class WatchedRunner(Protocol):
    """The part of the notebook's runner that the watchdog uses."""

    time_limit: float | None
    shared: SharedCells | None

    @property
    def lock(self) -> threading.Condition:
        """The lock that guards the state of the runner."""

    @property
    def active(self) -> Iterable[ActiveRun]:
        """The runs in progress."""

    def stop(self, active: ActiveRun) -> None:
        """Tell a run to stop. The caller holds the lock."""

    def advance(self, cell: CellId, progress: Progress) -> None:
        """Record the progress of a cell."""

    def refresh(self) -> None:
        """Survey the cells again, and tell listeners what changed."""


class Watchdog:
    """A thread that watches the running cells, and ends when none runs."""

    def __init__(self, process: SparkProcess, runner: WatchedRunner) -> None:
        self._process = process
        self._runner = runner
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Start the thread unless it runs. The caller holds the runner's lock."""
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._look_after, name="whence-watch", daemon=True)
            self._thread.start()

    def join(self) -> None:
        """Wait until the thread has ended."""
        thread = self._thread  # the thread itself sets the attribute to None
        if thread is not None:
            thread.join()

    def _look_after(self) -> None:
        while True:
            time.sleep(_LOOK)
            with self._runner.lock:
                running, shared = list(self._runner.active), self._runner.shared
                if shared is not None:
                    shared.watch()
                if not running and (shared is None or shared.is_idle()):
                    # Under the lock: a run that starts after this finds no thread, and `begin` starts another.
                    self._thread = None
                    return
            for active in running:
                self._look_at(active)

    def _look_at(self, active: ActiveRun) -> None:
        limit = self._runner.time_limit
        if active.cancelled_at is not None:
            # Repeated each round, because a call does not stop the jobs that the cell submits after it.
            self._process.cancel_group(active.control.job_group)
            self._restart_if_needed(active, time.monotonic() - active.cancelled_at)
        elif limit is not None and self._seconds_run(active) > limit:
            self._stop_late(active)
        elif time.monotonic() - active.asked > _PROGRESS:
            self._ask_progress(active)

    def _stop_late(self, active: ActiveRun) -> None:
        with self._runner.lock:
            # Without a look at `cancelled_at`, a run that the user has just stopped would be called late.
            if active.cancelled_at is None:
                active.is_late = True
                self._runner.stop(active)

    def _seconds_run(self, active: ActiveRun) -> float:
        """Return how long a run has taken; its limit does not count the start of Spark."""
        return time.monotonic() - active.began - self._process.seconds_waited(active.control.job_group)

    def _ask_progress(self, active: ActiveRun) -> None:
        active.asked = time.monotonic()
        done, total = self._process.tasks_of(active.control.job_group)
        if total:
            self._runner.advance(active.run.cell, Progress(done, total))

    def _restart_if_needed(self, active: ActiveRun, waited: float) -> None:
        """Restart Spark if it does not stop the run, but wait while others use Spark unless the user said `hard`."""
        if waited < HARD_AFTER or not self._is_held_by_spark(active.control.job_group):
            return
        if self._process.can_restart or active.is_hard:
            self._restart()
        elif not active.is_waiting_for_others:
            active.is_waiting_for_others = True
            self._runner.refresh()

    def _is_held_by_spark(self, group: str) -> bool:
        """Return whether Spark still runs tasks of a group, or works for it without any: it plans, or analyses."""
        return bool(self._process.active_tasks_of(group)) or self._process.waits_for_spark(group)

    def _restart(self) -> None:
        with self._runner.lock:
            for each in self._runner.active:
                # Runs that were not cancelled lose their jobs, too: a superseded run starts again.
                each.is_superseded |= each.cancelled_at is None
                each.is_ended_by_restart |= each.cancelled_at is not None
        self._process.restart()
