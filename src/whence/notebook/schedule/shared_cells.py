"""What the runner of a notebook asks of whoever runs its Python cells in one interpreter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from whence.model.notebook import CellId, CellRun, CellVersion, Entry
from whence.notebook.cell import CellResult
from whence.notebook.display import Display
from whence.notebook.schedule.survey import CellState


@dataclass
class Ran:
    """What came of a run, whether it ended well or not."""

    result: CellResult = field(default_factory=CellResult)
    error: BaseException | None = None
    displays: tuple[Display, ...] = ()
    showed: bool = False
    """The value of its last expression was shown."""
    seconds_waited: float = 0.0
    """For how long it waited for Spark to start."""
    note: str = ""
    """What had to be done to stop it."""


class SharedCells(Protocol):
    """Called with the runner's lock held."""

    def show(self, cells: Sequence[tuple[Entry, CellVersion]]) -> None:
        """These are the cells of the notebook now."""

    def owns(self, cell: CellId) -> bool:
        """Whether a cell is run there."""

    def state(self, entry: Entry) -> CellState | None:
        """How a cell stands; None for one that is not run there."""

    def shown(self, cell: CellId) -> tuple[Display, ...] | None:
        """What a running cell has shown so far; None if it does not run."""

    def request(self, cells: Iterable[CellId]) -> None:
        """Run these cells, one after the other."""

    def keep(self, run: CellRun) -> None:
        """A run was written down."""

    def is_idle(self) -> bool:
        """Whether nothing runs or waits."""

    def cancel(self, cells: Iterable[CellId] | None = None) -> None:
        """Stop these cells, or all."""

    def watch(self) -> None:
        """Stop what runs longer than it may; called now and then."""
