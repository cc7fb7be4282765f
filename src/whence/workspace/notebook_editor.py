"""The calls of `Notebook` that edit cells: append, insert, update, move, freeze and delete. Each makes a version."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from whence.model.errors import UserError
from whence.model.notebook import CellVersion, NotebookRecord
from whence.model.page import PageItem
from whence.notebook.parameter_values import change_parameters, read_parameters
from whence.notebook.run_cell import find_kind
from whence.notebook.versions.edits import Delete, Replace, Thaw, position
from whence.workspace.cell_values import change_cell, check_cell
from whence.workspace.context import Context
from whence.workspace.notebook_cell import Cell, cell_id
from whence.workspace.notebook_edits import NotebookEdits
from whence.workspace.notebook_page import NotebookPage
from whence.workspace.notebook_reader import NotebookReader


class NotebookEditor(NotebookReader):
    """The calls of `Notebook` that edit cells."""

    def __init__(self, context: Context, record: NotebookRecord) -> None:
        super().__init__(context, record)
        self._edits = NotebookEdits(self._open)

    def append(
        self,
        kind: str,
        source: object = None,
        name: str | None = None,
        *,
        command_id: str | None = None,
        base_version: int | None = None,
        **parameters: object,
    ) -> Cell:
        """Add a cell after all others. It runs at once, unless the notebook is lazy."""
        version = check_cell(kind, source, name, parameters)
        return Cell(self, self._edits.append(version, self._command(base_version, command_id)))

    def insert(
        self,
        position: int,
        kind: str,
        source: object = None,
        name: str | None = None,
        *,
        command_id: str | None = None,
        base_version: int | None = None,
        **parameters: object,
    ) -> Cell:
        """Add a cell at a position, counted from 0.

        >>> nb = ws.notebook("places")
        >>> second = nb.append("markdown", source="second")
        >>> first = nb.insert(0, "markdown", source="first")
        >>> [cell.source for cell in nb.cells]
        ['first', 'second']
        """
        version = check_cell(kind, source, name, parameters)
        return Cell(self, self._edits.insert(version, position, self._command(base_version, command_id)))

    def add_draft(
        self,
        kind: str,
        position: int | None = None,
        *,
        command_id: str | None = None,
        base_version: int | None = None,
    ) -> Cell:
        """Add an empty cell, after all others or at a position counted from 0. `update` fills it in.

        A draft is stored and versioned like any other cell, but it does not run, and no cell waits for it.

        >>> nb = ws.notebook("later")
        >>> cell = nb.add_draft("markdown")
        >>> cell.status, nb.update(cell, source="# Done").status == "draft"
        ('draft', False)
        """
        find_kind(kind)
        draft, command = CellVersion(kind, {}), self._command(base_version, command_id)
        if position is None:
            return Cell(self, self._edits.append(draft, command))
        return Cell(self, self._edits.insert(draft, position, command))

    def update(
        self,
        cell: Cell | str,
        source: object = None,
        name: str | None = None,
        *,
        kind: str | None = None,
        command_id: str | None = None,
        base_version: int | None = None,
        **parameters: object,
    ) -> Cell:
        """Change the values of a cell. A parameter that is not passed stays, one passed as None is removed.

        If someone else changed the cell since `base_version`, this raises `EditConflict`, which carries both texts. The
        edit is still stored, as a version that is on no branch.
        """
        id = cell_id(cell)
        entries = self._open.entries_at(base_version)
        was = self._open.cell_version(entries[position(entries, id)])
        version = change_cell(was, kind, source, name, parameters)
        self._open.commit(Replace(id, version.hash), version, self._command(base_version, command_id))
        return Cell(self, id)

    def delete(self, cell: Cell | str, *, command_id: str | None = None, base_version: int | None = None) -> None:
        """Delete a cell. Earlier versions still have it."""
        self._open.commit(Delete(cell_id(cell)), None, self._command(base_version, command_id))

    def move(
        self, cell: Cell | str, position: int, *, command_id: str | None = None, base_version: int | None = None
    ) -> None:
        """Move a cell to a position, counted from 0 among the other cells."""
        self._edits.move(cell_id(cell), position, self._command(base_version, command_id))

    def freeze(self, cell: Cell | str) -> None:
        """Freeze a cell: it keeps its present results, whatever changes in the cells above it."""
        self._edits.freeze(cell_id(cell), self.state_of(cell_id(cell)).run)

    def thaw(self, cell: Cell | str) -> None:
        """Let a frozen cell run again."""
        self._open.commit(Thaw(cell_id(cell)), None, self._command())

    def replace(
        self,
        cells: Sequence[CellVersion],
        frozen: Collection[int] = (),
        items: Mapping[int, tuple[PageItem, ...]] | None = None,
    ) -> int:
        """Replace all cells, as one new version. Cells with the same content keep their results. Nothing runs.

        `frozen` lists the positions of cells to freeze. Such a cell keeps the last results of a cell with the same
        content. If no such run is known, it has no results until it is thawed. `items` says what stands on the page, by
        the position of the cell; without it, cells with the same content keep their places there.
        """
        self._edits.replace_all(cells, frozen, items)
        return self.version

    def rename_datasets(self, names: Mapping[str, str], *, run: bool = True) -> list[str]:
        """Give datasets other names in all cells that make or read them, as one version. Return the changed cells.

        `Workspace.rename_dataset` calls this for every notebook. The code of Python cells stays as it is.
        """
        return [*self._edits.rename_datasets({old.lower(): new for old, new in names.items()}, run=run)]

    @property
    def page(self) -> NotebookPage:
        """The page of the notebook: charts, tables, texts and inputs, arranged on a grid.

        >>> nb = ws.notebook("a page")
        >>> nb.page.add(nb.append("markdown", source="# Prices")).shows
        'text'
        """
        return NotebookPage(self, self._edits, self._open.author)

    def set_parameters(self, values: Mapping[str, object]) -> None:
        """Change parameters, each in the last parameters cell that sets it. Raise if no cell sets one of them."""
        waiting = dict(values)
        for cell in reversed(self.cells):
            if cell.kind == "parameters" and cell.status != "draft" and waiting:
                given = read_parameters(cell.values["source"])
                mine = {name: waiting.pop(name) for name in list(waiting) if name in given}
                if any(given[name] != value for name, value in mine.items()):
                    self.update(cell, source=change_parameters(cell.values["source"], mine))
        if waiting:
            raise UserError(f"No parameters cell of {self.name} sets {', '.join(waiting)}.")
