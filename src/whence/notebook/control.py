"""The two-way line between a running cell and whoever watches it: cancelling goes in, progress and output come out."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from whence.model.errors import WhenceError
from whence.notebook.display import Display
from whence.notebook.display_log import DisplayLog


class Cancelled(WhenceError):
    """The cell was told to stop."""


@dataclass(frozen=True)
class Progress:
    """How far a cell is: `done` of `total` of whatever `what` says; a total of 0 means nobody knows."""

    done: int
    total: int = 0
    what: str = "tasks"


def _ignore(_: object) -> None:
    return


@dataclass
class RunControl:
    """One run of one cell. Safe to use from several threads."""

    job_group: str = ""
    """Every Spark job of the run belongs to this group, and is cancelled with it; empty if nobody can cancel."""
    report: Callable[[Progress], None] = _ignore
    """Call it as often as you like; whoever listens slows it down."""
    emit: Callable[[Display], None] = _ignore
    """Called with each output while the cell still runs."""
    log: DisplayLog = field(default_factory=DisplayLog, repr=False)
    """What the run has shown so far."""
    _cancelled: threading.Event = field(default_factory=threading.Event, repr=False)
    _callbacks: list[Callable[[], None]] = field(default_factory=list, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def show(self, display: Display) -> None:
        """Show an output at once; it belongs in the result's displays as well, and stays if the cell fails."""
        self.log.add(display)
        self.emit(display)

    def is_cancelled(self) -> bool:
        """Whether the run should stop as soon as it can."""
        return self._cancelled.is_set()

    def on_cancel(self, callback: Callable[[], None]) -> None:
        """Call this once when the run is cancelled; at once if it already is."""
        with self._lock:
            if not self._cancelled.is_set():
                self._callbacks.append(callback)
                return
        callback()

    def cancel(self) -> None:
        """Tell the run to stop; a second call does nothing."""
        with self._lock:
            if self._cancelled.is_set():
                return
            self._cancelled.set()
            waiting, self._callbacks = self._callbacks, []
        for callback in waiting:
            callback()

    def check(self) -> None:
        """Leave the cell if it was cancelled."""
        if self.is_cancelled():
            raise Cancelled("The cell was cancelled.")
