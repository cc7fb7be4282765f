"""Estimates how long cells will run from how long they took the last time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from whence.model.notebook import CellId, Entry
from whence.notebook.schedule.knowledge import Knowledge
from whence.notebook.schedule.survey import CellState
from whence.notebook.versions.edits import Cells

LONG = 10.0
"""The runner announces estimates of at least this many seconds."""


@dataclass(frozen=True)
class Estimate:
    """The sum of the last run times of the cells that are about to run. Cells that never ran count 0 seconds."""

    seconds: float
    cells: tuple[CellId, ...]


def estimate(cells: Cells, states: Mapping[CellId, CellState], knowledge: Knowledge) -> Estimate:
    """Add up the last run times of the cells that wait or run."""
    chosen = [entry for entry in cells if states[entry.cell].status in ("waiting", "running")]
    return Estimate(sum(_last_seconds(entry, knowledge) for entry in chosen), tuple(entry.cell for entry in chosen))


def _last_seconds(entry: Entry, knowledge: Knowledge) -> float:
    same = next((run.seconds for run in knowledge.runs(entry.hash) if run.state == "done"), None)
    last = knowledge.last.get(entry.cell)
    return same if same is not None else last.seconds if last is not None else 0.0
