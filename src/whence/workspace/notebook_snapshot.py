"""`NotebookSnapshot`: one version of a notebook with the states of its cells at one moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from whence.model.notebook import CellId, CellRun, CellVersion, Entry
from whence.model.page import PageItem
from whence.notebook.control import Progress
from whence.notebook.display import Display
from whence.notebook.schedule.survey import CellState
from whence.notebook.versions.edits import page_items
from whence.workspace.notebook_cell import Cell, Holder, Outputs


@dataclass(frozen=True)
class NotebookSnapshot:
    """The cells of one version, with their states. An edit in another thread changes neither.

    Without it, a reader could list the cells before an edit and then ask the notebook about a cell that is gone.
    """

    notebook: Holder
    version: int
    texts: Mapping[Entry, CellVersion]
    states: Mapping[CellId, CellState]
    is_past: bool = False
    """Whether it is another version than the newest: then cells that run now show nothing here."""

    @property
    def cells(self) -> list[Cell]:
        """The cells, from top to bottom."""
        return [Cell(self, entry.cell) for entry in self.texts]

    @property
    def items(self) -> list[PageItem]:
        """What stands on the page, in reading order."""
        return page_items(list(self.texts))

    def cell_version(self, cell: CellId) -> CellVersion:
        """Return the kind and values of a cell in this version."""
        return next(text for entry, text in self.texts.items() if entry.cell == cell)

    def state_of(self, cell: CellId) -> CellState:
        """Return the state of a cell at the moment of the snapshot."""
        return self.states[cell]

    def outputs_of(self, run: CellRun | None) -> Outputs:
        """Return what a run made."""
        return self.notebook.outputs_of(run)

    def displays_of(self, cell: CellId) -> tuple[Display, ...] | None:
        """Return what a cell has shown so far; None if it does not run."""
        return None if self.is_past else self.notebook.displays_of(cell)

    def progress_of(self, cell: CellId) -> Progress | None:
        """Return the progress of a running cell."""
        return None if self.is_past else self.notebook.progress_of(cell)
