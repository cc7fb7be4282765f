"""A run in progress: what it was launched with, how far it is, and why it has to stop."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from whence.model.notebook import CellRun
from whence.notebook.control import Progress, RunControl
from whence.notebook.schedule.survey import Launch, Reason


@dataclass
class ActiveRun:
    """A run in progress. The runner's lock guards it."""

    run: CellRun
    launch: Launch
    control: RunControl
    began: float
    seconds_waited: float = 0.0
    """For how long it waited for Spark to start; set when its work has ended."""
    progress: Progress = field(default_factory=lambda: Progress(0))
    asked: float = field(default_factory=time.monotonic)
    """When the watchdog last asked Spark for its progress."""
    is_superseded: bool = False
    """Its text or inputs changed meanwhile, or Spark restarted because of another run. Its cell stays requested."""
    is_late: bool = False
    """It ran longer than the time limit."""
    is_hard: bool = False
    """The user allows a restart of Spark to stop it, even while other cells use Spark."""
    cancelled_at: float | None = None
    """When it was told to stop, for whatever reason."""
    is_waiting_for_others: bool = False
    """Only a restart of Spark can stop it, and the watchdog waits with that until no other cell uses Spark."""
    is_ended_by_restart: bool = False
    """It was cancelled, and stopped only with the Java process."""

    @property
    def reason(self) -> Reason:
        """Why it still runs although it was told to stop; empty if it was not."""
        if self.cancelled_at is None:
            return ""
        return "still ending, as other cells use Spark" if self.is_waiting_for_others else "stopping"
