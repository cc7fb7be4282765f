"""The policy of a workspace for capturing lineage: the user's settings, the budget, and the queue of deferred jobs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from whence.lineage.capture_queue import CaptureQueue
from whence.lineage.strategy import Mode
from whence.model.dataset import DatasetRecord


class LineageBudget(Protocol):
    """Chooses how queries capture lineage while the user has set a budget for it."""

    def mode_for_query(self, name: str) -> Mode | None:
        """How the query behind a dataset of this name captures lineage; None without a budget."""

    def request(self) -> None:
        """Ask for a new plan of stored lineage, because a dataset was made."""


@dataclass(frozen=True)
class CaptureSettings:
    """What the user has set with `ws.capture`."""

    is_paused: bool = False
    is_off: bool = False
    only: frozenset[str] | None = None
    """Names, in lower case, of the datasets whose rows are traced; None for all."""
    most_bytes: int | None = None
    """A query's lineage that takes more than this is not stored."""
    most_seconds: float | None = None
    """A deferred job that takes longer than this is given up."""
    reuses_results: bool = True


@dataclass
class CapturePolicy:
    """The capture policy of one workspace, which library calls and notebook cells share."""

    settings: CaptureSettings = CaptureSettings()
    budget: LineageBudget | None = None
    queue: CaptureQueue | None = None

    def change(self, settings: CaptureSettings) -> None:
        """Use these settings from now on, for queries and for deferred jobs that wait."""
        self.settings = settings
        if self.queue is not None:
            self.queue.set(is_paused=settings.is_paused or settings.is_off, most_seconds=settings.most_seconds)

    def usual_mode(self, name: str) -> Mode:
        """How a query captures lineage if its user says nothing; `name` is what the dataset will be called."""
        if self.settings.is_off:
            return "off"
        if self.settings.is_paused:
            return "paused"
        return (self.budget.mode_for_query(name) if self.budget is not None else None) or "auto"

    def follow_up(self, record: DatasetRecord, *, is_deferred: bool) -> None:
        """Queue the lineage that was deferred, and let the budget's plan take the new dataset in."""
        if is_deferred and self.queue is not None:
            self.queue.add(record)
        if self.budget is not None:
            self.budget.request()
