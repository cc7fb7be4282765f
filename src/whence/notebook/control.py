"""How the runner and a running cell talk: cancellation goes in, progress and output come out."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from whence.model.errors import WhenceError
from whence.notebook.display import Display
from whence.notebook.display_log import DisplayLog


class Cancelled(WhenceError):
    """Raised in a cell that was told to stop."""


@dataclass(frozen=True)
class Progress:
    """How far a cell is: `done` of `total` tasks, or of what `what` names. A total of 0 means that it is unknown."""

    done: int
    total: int = 0
    what: str = "tasks"


def _ignore(_: object) -> None:
    return


@dataclass
class RunControl:
    """The controls of one run of one cell. Safe to use from several threads."""

    job_group: str = ""
    """Spark's job group of the run: cancelling it ends every Spark job of the run. Empty if the run has none."""
    report: Callable[[Progress], None] = _ignore
    """Takes the progress of the cell, as often as the cell likes to report it."""
    emit: Callable[[Display], None] = _ignore
    """Called with each output while the cell still runs."""
    log: DisplayLog = field(default_factory=DisplayLog, repr=False)
    """Everything the run has shown so far."""
    _cancelled: threading.Event = field(default_factory=threading.Event, repr=False)
    _callbacks: list[Callable[[], None]] = field(default_factory=list, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def show(self, display: Display) -> None:
        """Show an output at once. It stays visible if the cell fails; a cell that succeeds lists it in its result."""
        self.log.add(display)
        self.emit(display)

    def is_cancelled(self) -> bool:
        """Whether the run should stop as soon as it can."""
        return self._cancelled.is_set()

    def on_cancel(self, callback: Callable[[], None]) -> None:
        """Call this function once when the run is cancelled, or now if it already is."""
        with self._lock:
            if not self._cancelled.is_set():
                self._callbacks.append(callback)
                return
        # Outside the lock, as in `cancel`: a callback may be slow, or use this object.
        callback()

    def cancel(self) -> None:
        """Tell the run to stop. A second call does nothing."""
        with self._lock:
            if self._cancelled.is_set():
                return
            self._cancelled.set()
            waiting, self._callbacks = self._callbacks, []
        for callback in waiting:
            callback()

    def check(self) -> None:
        """Raise `Cancelled` if the run was cancelled."""
        if self.is_cancelled():
            raise Cancelled("The cell was cancelled.")
