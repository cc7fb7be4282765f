"""The interface between the runner of a notebook and the session that runs its Python cells in one interpreter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from whence.model.notebook import CellId, CellRun, CellVersion, Entry
from whence.notebook.cell import CellResult
from whence.notebook.display import Display
from whence.notebook.schedule.survey import CellState


@dataclass
class SessionCellRun:
    """The outcome of one run in a session, whether it succeeded or not."""

    result: CellResult = field(default_factory=CellResult)
    error: BaseException | None = None
    displays: tuple[Display, ...] = ()
    showed: bool = False
    """The cell showed the value of its last expression."""
    seconds_waited: float = 0.0
    """For how long it waited for Spark to start."""
    note: str = ""
    """What whence had to do to stop it, such as a restart of Spark; empty if nothing."""


class SharedCells(Protocol):
    """A session as the runner sees it. The runner calls these methods with its lock held."""

    def show(self, cells: Sequence[tuple[Entry, CellVersion]]) -> None:
        """Take these as the cells of the notebook, in order."""

    def owns(self, cell: CellId) -> bool:
        """Whether the session runs this cell."""

    def state(self, entry: Entry) -> CellState | None:
        """Return the state of a cell; None if the session does not run it."""

    def shown(self, cell: CellId) -> tuple[Display, ...] | None:
        """Return what a running cell has shown so far; None if it is not running."""

    def request(self, cells: Iterable[CellId]) -> None:
        """Run these cells, one after the other."""

    def keep(self, run: CellRun) -> None:
        """Take note of a run that has been recorded."""

    def is_idle(self) -> bool:
        """Whether no cell runs or waits."""

    def cancel(self, cells: Iterable[CellId] | None = None) -> None:
        """Stop these cells, or all for None."""

    def watch(self) -> None:
        """Stop a cell that exceeds the time limit. The watchdog calls this several times a second."""
