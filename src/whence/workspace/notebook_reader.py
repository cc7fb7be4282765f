"""The reading calls of `Notebook`: its cells, their content and status, and what their runs made."""

from __future__ import annotations

from whence.model.notebook import CellId, CellRun, CellVersion, Entry, NotebookRecord
from whence.notebook.control import Progress
from whence.notebook.display import Display
from whence.notebook.schedule.survey import CellState
from whence.notebook.versions.book import Command
from whence.notebook.versions.edits import position
from whence.workspace.context import Context
from whence.workspace.notebook_cell import Cell, Outputs
from whence.workspace.notebook_results import read_outputs, read_past_states
from whence.workspace.notebook_snapshot import NotebookSnapshot
from whence.workspace.open_notebook import OpenNotebook


class NotebookReader:
    """The cells of the branch checked out. `NotebookEditor`, `NotebookControl` and `NotebookHistory` extend it."""

    def __init__(self, context: Context, record: NotebookRecord) -> None:
        self._open = OpenNotebook(context, record)
        self.runner = self._open.runner

    @property
    def name(self) -> str:
        """The name of the notebook."""
        return self._open.record.name

    @property
    def version(self) -> int:
        """The newest version of the branch checked out; 0 before the first edit."""
        return self._open.version

    @property
    def branch_name(self) -> str:
        """The branch checked out."""
        return self._open.record.branch

    @property
    def cells(self) -> list[Cell]:
        """The cells, from top to bottom."""
        return [Cell(self, entry.cell) for entry in self._open.entries]

    def cell(self, id: str) -> Cell:
        """Return the cell with this id. Raise if there is none."""
        position(self._open.entries, CellId(id))  # raises if the cell is not there
        return Cell(self, CellId(id))

    def cell_version(self, cell: CellId) -> CellVersion:
        """Return the kind and values of a cell in the newest version."""
        return self._open.current_version(cell)

    def cell_versions(self) -> list[tuple[Entry, CellVersion]]:
        """Return the cells of the newest version with their kind and values, from top to bottom."""
        return [(entry, self._open.cell_version(entry)) for entry in self._open.entries]

    def state_of(self, cell: CellId) -> CellState:
        """Return the status of a cell, the reason for it, and its run."""
        entries = self._open.entries
        position(entries, cell)
        return self.runner.states_of(entries)[cell]

    def outputs_of(self, run: CellRun | None) -> Outputs:
        """Return what a run made; for a cancelled one, what it showed and the datasets of the run before it."""
        return read_outputs(self._open, run)

    def displays_of(self, cell: CellId) -> tuple[Display, ...] | None:
        """Return what a running cell has shown so far; None if it does not run."""
        return self.runner.shown(cell)

    def progress_of(self, cell: CellId) -> Progress | None:
        """Return the progress of a running cell."""
        return self.runner.progress(cell)

    def snapshot(self) -> NotebookSnapshot:
        """Return the newest version with the states of its cells, all read at one moment."""
        version = self.version
        entries = self._open.book.cells(version)
        texts = {entry: self._open.cell_version(entry) for entry in entries}
        return NotebookSnapshot(self, version, texts, self.runner.states_of(entries))

    def snapshot_of(self, version: int) -> NotebookSnapshot:
        """Return any version with the results its cells had, as far as they are kept."""
        if version == self.version:
            return self.snapshot()
        entries = self._open.book.cells(version)
        texts = {entry: self._open.cell_version(entry) for entry in entries}
        return NotebookSnapshot(self, version, texts, read_past_states(self._open, entries), is_past=True)

    def _command(self, base_version: int | None = None, command_id: str | None = None) -> Command:
        return Command(self._open.author, base_version, command_id)
