"""A run of a cell that is under way: what it was launched with, how far it is, and why it is to stop."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from whence.model.notebook import CellRun
from whence.notebook.control import Progress, RunControl
from whence.notebook.schedule.survey import Launch, Reason


@dataclass
class ActiveRun:
    """A run under way; the runner's lock guards it."""

    run: CellRun
    launch: Launch
    control: RunControl
    began: float
    seconds_waited: float = 0.0
    """For how long it waited for Spark to start; set when its work has ended."""
    progress: Progress = field(default_factory=lambda: Progress(0))
    asked: float = field(default_factory=time.monotonic)
    """When it was last asked how far it is."""
    is_superseded: bool = False
    is_late: bool = False
    """It ran longer than the time limit."""
    is_hard: bool = False
    cancelled_at: float | None = None
    is_waiting_for_others: bool = False
    """Spark must restart to stop it, and does so when no other cell uses it any more."""
    is_ended_by_restart: bool = False

    @property
    def reason(self) -> Reason:
        """Why it still runs although it was told to stop."""
        if self.cancelled_at is None:
            return ""
        return "still ending, as other cells use Spark" if self.is_waiting_for_others else "stopping"
