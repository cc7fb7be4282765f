"""Reading a notebook: its cells, what they say, how they stand, and what their runs made."""

from __future__ import annotations

from whence.model.notebook import CellId, CellRun, CellVersion, Entry, NotebookRecord
from whence.notebook.control import Progress
from whence.notebook.display import Display
from whence.notebook.schedule.survey import CellState
from whence.notebook.versions.book import Command
from whence.notebook.versions.edits import position
from whence.workspace.context import Context
from whence.workspace.notebook_cell import Cell, Outputs
from whence.workspace.notebook_results import read_outputs
from whence.workspace.notebook_snapshot import NotebookSnapshot
from whence.workspace.open_notebook import OpenNotebook


class NotebookReader:
    """The cells of the branch checked out; the other parts of the public `Notebook` build on it."""

    def __init__(self, context: Context, record: NotebookRecord) -> None:
        self._open = OpenNotebook(context, record)
        self.runner = self._open.runner

    @property
    def name(self) -> str:
        """What the notebook is called."""
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
        """The cell with this id."""
        position(self._open.entries, CellId(id))
        return Cell(self, CellId(id))

    def said_by(self, cell: CellId) -> CellVersion:
        """What a cell says now."""
        return self._open.current_version(cell)

    def said_now(self) -> list[tuple[Entry, CellVersion]]:
        """The cells with what they say, from top to bottom."""
        return [(entry, self._open.cell_version(entry)) for entry in self._open.entries]

    def state_of(self, cell: CellId) -> CellState:
        """How a cell stands."""
        entries = self._open.entries
        position(entries, cell)
        return self.runner.states_of(entries)[cell]

    def outputs_of(self, run: CellRun | None) -> Outputs:
        """What a run made; of one that was cancelled, what it showed and the datasets its cell had made before."""
        return read_outputs(self._open, run)

    def shown_by(self, cell: CellId) -> tuple[Display, ...] | None:
        """What a running cell has shown so far; None if it does not run."""
        return self.runner.shown(cell)

    def progress_of(self, cell: CellId) -> Progress | None:
        """How far a running cell is."""
        return self.runner.progress(cell)

    def snapshot(self) -> NotebookSnapshot:
        """The newest version and how its cells stand, read at one moment."""
        version = self.version
        entries = self._open.book.cells(version)
        texts = {entry: self._open.cell_version(entry) for entry in entries}
        return NotebookSnapshot(self, version, texts, self.runner.states_of(entries))

    def _command(self, base_version: int | None = None, command_id: str | None = None) -> Command:
        return Command(self._open.author, base_version, command_id)
