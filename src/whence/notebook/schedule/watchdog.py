"""The watchdog of running cells: their progress, the time limit, and runs that Spark must restart to stop."""

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
"""Seconds after which Spark is restarted to stop a cancelled cell that still runs there."""
_LOOK = 0.2
_PROGRESS = 1.0
"""Seconds between two questions of how far a cell is: each costs Spark as much as a small query."""


class WatchedRunner(Protocol):
    """The notebook's runner, as far as the watchdog needs it."""

    time_limit: float | None
    shared: SharedCells | None

    @property
    def lock(self) -> threading.Condition:
        """Held while anything changes."""

    @property
    def active(self) -> Iterable[ActiveRun]:
        """The runs under way."""

    def stop(self, active: ActiveRun) -> None:
        """Tell a run to stop."""

    def advance(self, cell: CellId, progress: Progress) -> None:
        """Take down how far a cell is."""

    def refresh(self) -> None:
        """Look again at how cells stand, and say what changed."""


class Watchdog:
    """Looks after running cells in a thread, which ends when none runs."""

    def __init__(self, process: SparkProcess, runner: WatchedRunner) -> None:
        self._process = process
        self._runner = runner
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Start the thread unless it runs; the caller holds the runner's lock."""
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._look_after, name="whence-watch", daemon=True)
            self._thread.start()

    def join(self) -> None:
        """Wait until the thread has ended."""
        if self._thread is not None:
            self._thread.join()

    def _look_after(self) -> None:
        while True:
            time.sleep(_LOOK)
            with self._runner.lock:
                running, shared = list(self._runner.active), self._runner.shared
                if shared is not None:
                    shared.watch()
            if not running and (shared is None or shared.is_idle()):
                return
            for active in running:
                self._look_at(active)

    def _look_at(self, active: ActiveRun) -> None:
        limit = self._runner.time_limit
        if active.cancelled_at is not None:
            # A job that was submitted after the last call was not stopped by it.
            self._process.cancel_group(active.control.job_group)
            self._restart_if_needed(active, time.monotonic() - active.cancelled_at)
        elif limit is not None and self._seconds_run(active) > limit:
            active.is_late = True
            self._runner.stop(active)
        elif time.monotonic() - active.asked > _PROGRESS:
            self._ask_progress(active)

    def _seconds_run(self, active: ActiveRun) -> float:
        """Return how long a run has taken; its limit does not count the start of Spark."""
        return time.monotonic() - active.began - self._process.seconds_waited(active.control.job_group)

    def _ask_progress(self, active: ActiveRun) -> None:
        active.asked = time.monotonic()
        done, total = self._process.tasks_of(active.control.job_group)
        if total:
            self._runner.advance(active.run.cell, Progress(done, total))

    def _restart_if_needed(self, active: ActiveRun, waited: float) -> None:
        """Restart Spark if it does not stop the run by itself, unless other cells would lose their work by that."""
        if waited < HARD_AFTER or not self._process.active_tasks_of(active.control.job_group):
            return
        if self._process.can_restart or active.is_hard:
            self._restart()
        elif not active.is_waiting_for_others:
            active.is_waiting_for_others = True
            self._runner.refresh()

    def _restart(self) -> None:
        with self._runner.lock:
            for each in self._runner.active:
                each.is_superseded |= each.cancelled_at is None  # it is not to blame, and runs again
                each.is_ended_by_restart |= each.cancelled_at is not None
        self._process.restart()
