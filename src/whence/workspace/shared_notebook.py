"""`SharedNotebook`: one notebook version as a share link shows it, with the results it had when the link was made."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from whence.model.errors import UserError
from whence.model.notebook import CellId, CellRun, CellVersion, Entry
from whence.model.page import PageItem
from whence.model.share import ShareRecord
from whence.notebook.control import Progress
from whence.notebook.display import Display, from_json
from whence.notebook.schedule.survey import DRAFT, CellState
from whence.notebook.versions.book import Book
from whence.notebook.versions.edits import page_items
from whence.store import cell_runs, notebooks
from whence.workspace.context import Context
from whence.workspace.dataset import Dataset
from whence.workspace.notebook_cell import Cell, Outputs


class SharedNotebook:
    """A read-only notebook version. What it shows never changes, except that datasets may be forgotten."""

    is_read_only: Literal[True] = True
    mode: Literal["auto", "lazy"] = "lazy"

    def __init__(self, context: Context, record: ShareRecord) -> None:
        self._context = context
        self.record = record
        self._book = Book(context.store, record.notebook)
        with context.store.database.read() as connection:
            self.name = notebooks.notebook_by_id(connection, record.notebook).name
            self._runs = cell_runs.runs_by_id(connection, record.runs.values())

    @property
    def version(self) -> int:
        """The version it shows."""
        return self.record.version

    @property
    def branch_name(self) -> str:
        """Empty: a share link shows no branch."""
        return ""

    def branches(self) -> dict[str, int]:
        """Return no branches: a share link shows one version."""
        return {}

    @property
    def cells(self) -> list[Cell]:
        """The cells, from top to bottom."""
        return [Cell(self, entry.cell) for entry in self._entries]

    def cell(self, id: str) -> Cell:
        """Return the cell with this id. Raise if the version has none."""
        self._entry(CellId(id))
        return Cell(self, CellId(id))

    def snapshot(self) -> SharedNotebook:
        """Return itself, as nothing here changes."""
        return self

    @property
    def items(self) -> list[PageItem]:
        """What stands on the page, in reading order."""
        return page_items(self._entries)

    @cached_property
    def datasets(self) -> list[Dataset]:
        """The datasets that its cells made, in the order of the cells: the only ones that the link shows."""
        made = [dataset for cell in self.cells for dataset in cell.outputs.datasets.values()]
        return list({dataset.record.id: dataset for dataset in made}.values())

    def cell_version(self, cell: CellId) -> CellVersion:
        """Return the kind and values of a cell in this version."""
        hash = self._entry(cell).hash
        return self._book.cell_versions([hash])[hash]

    def state_of(self, cell: CellId) -> CellState:
        """Return "ready" or "error" for a cell with a shared run, else "stale", or "draft" for an empty cell."""
        run = self._run(cell)
        if run is None:
            return DRAFT if self.cell_version(cell).is_draft else CellState("stale")
        return CellState("ready" if run.state == "done" else "error", run=run)

    def outputs_of(self, run: CellRun | None) -> Outputs:
        """Return what a run made."""
        if run is None:
            return Outputs({})
        store = self._context.store
        with store.database.read() as connection:
            displays = cell_runs.displays_of(connection, run.id)
        made = {each.name: Dataset(self._context, store.by_id(each.dataset)) for each in run.outputs}
        return Outputs(made, tuple(from_json(each) for each in displays), run.parameters)

    def displays_of(self, _cell: CellId) -> tuple[Display, ...] | None:
        """Return None, as no cell runs here."""
        return None

    def progress_of(self, _cell: CellId) -> Progress | None:
        """Return None, as no cell runs here."""
        return None

    @property
    def _entries(self) -> tuple[Entry, ...]:
        return self._book.cells(self.record.version)

    def _entry(self, cell: CellId) -> Entry:
        found = next((entry for entry in self._entries if entry.cell == cell), None)
        if found is None:
            raise UserError(f"Version {self.version} has no cell {cell}.")
        return found

    def _run(self, cell: CellId) -> CellRun | None:
        run = self.record.runs.get(cell)
        return None if run is None else self._runs.get(run)
