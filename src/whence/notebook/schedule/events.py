"""What a notebook tells whoever watches it while its cells run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from whence.model.notebook import CellId
from whence.notebook.control import Progress
from whence.notebook.display import Display
from whence.notebook.schedule.survey import CellState


@dataclass(frozen=True)
class Changed:
    """A cell stands differently now."""

    cell: CellId
    state: CellState


@dataclass(frozen=True)
class Advanced:
    """A running cell came further."""

    cell: CellId
    progress: Progress


@dataclass(frozen=True)
class Shown:
    """A running cell shows something."""

    cell: CellId
    display: Display


@dataclass(frozen=True)
class Estimated:
    """Cells are about to run that took long the last time."""

    seconds: float
    cells: tuple[CellId, ...]


Event = Changed | Advanced | Shown | Estimated
Listener = Callable[[Event], None]
