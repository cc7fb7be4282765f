"""The events that a notebook sends to its listeners while its cells run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from whence.model.notebook import CellId
from whence.notebook.control import Progress
from whence.notebook.display import Display
from whence.notebook.schedule.survey import CellState


@dataclass(frozen=True)
class Changed:
    """The state of a cell changed."""

    cell: CellId
    state: CellState


@dataclass(frozen=True)
class Advanced:
    """A running cell made progress."""

    cell: CellId
    progress: Progress


@dataclass(frozen=True)
class Shown:
    """A running cell showed an output."""

    cell: CellId
    display: Display


@dataclass(frozen=True)
class Estimated:
    """The cells that are about to run took long the last time."""

    seconds: float
    cells: tuple[CellId, ...]


Event = Changed | Advanced | Shown | Estimated
Listener = Callable[[Event], None]
