"""Carries out edits of a notebook: where a cell goes, which results a frozen cell keeps, and the import of cells."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from whence.model.errors import UserError
from whence.model.notebook import CellId, CellRun, CellRunId, CellVersion, Entry
from whence.model.page import PageItem, check_items
from whence.notebook.rename_datasets import rename_in_cell, rename_in_items
from whence.notebook.versions.book import Command
from whence.notebook.versions.edits import Arrange, Freeze, Insert, Move, ReplaceAll, page_items, position
from whence.store import cell_runs
from whence.workspace.open_notebook import OpenNotebook


class NotebookEdits:
    """The edits of one open notebook. Each commits a new version."""

    def __init__(self, notebook: OpenNotebook) -> None:
        self._notebook = notebook

    def append(self, version: CellVersion, command: Command) -> CellId:
        """Add a cell after all others."""
        entries = self._notebook.entries_at(command.base_version)
        return self._insert(version, _before(entries, len(entries)), "append", command)

    def insert(self, version: CellVersion, position: int, command: Command) -> CellId:
        """Add a cell at a position, counted from 0."""
        entries = self._notebook.entries_at(command.base_version)
        return self._insert(version, _before(entries, position), "insert", command)

    def _insert(
        self, version: CellVersion, after: CellId | None, action: Literal["append", "insert"], command: Command
    ) -> CellId:
        edit = Insert(self._notebook.book.new_cell(), version.hash, after, action)
        return CellId(str(self._notebook.commit(edit, version, command).cell))

    def move(self, cell: CellId, position: int, command: Command) -> None:
        """Move a cell to a position, counted from 0 among the other cells."""
        entries = self._notebook.entries_at(command.base_version)
        others = tuple(entry for entry in entries if entry.cell != cell)
        self._notebook.commit(Move(cell, _before(others, position)), None, command)

    def freeze(self, cell: CellId, run: CellRun | None) -> None:
        """Freeze a cell with the results of this run; if the run failed, with those of its last good run."""
        kept = run if _gave(run) else self._notebook.knowledge.last.get(cell)
        # An empty id freezes a cell that never ran. None would mean that it is not frozen.
        self._notebook.commit(Freeze(cell, "" if kept is None else kept.id), None, Command(self._notebook.author))

    def arrange(self, items: Sequence[PageItem], command: Command) -> None:
        """Make these items the page. Only cells whose items differ from those of the base version change."""
        check_items(items)
        entries = self._notebook.entries_at(command.base_version)
        for item in items:
            position(entries, CellId(item.cell))  # raises if the cell is not there
        asked = {
            entry.cell: tuple(replace(each, cell="") for each in items if each.cell == entry.cell) for entry in entries
        }
        shown = page_items(entries)
        # Compared with what its author saw: there, items are moved down that would cover others.
        before = {
            entry.cell: tuple(replace(each, cell="") for each in shown if each.cell == entry.cell) for entry in entries
        }
        changed = tuple((cell, each) for cell, each in asked.items() if set(each) != set(before[cell]))
        if changed:
            self._notebook.commit_page(Arrange(changed), command)

    def replace_all(
        self,
        cells: Sequence[CellVersion],
        frozen: Collection[int],
        items: Mapping[int, tuple[PageItem, ...]] | None = None,
    ) -> None:
        """Replace all cells. A cell with the content of an old one takes over its id, and so its results.

        Without items, it takes over its place on the page, too.
        """
        # Each old cell is taken once: two equal cells must not share an id.
        free = list(self._notebook.entries)
        entries = []
        for number, version in enumerate(cells):
            was = next((entry for entry in free if entry.hash == version.hash), None)
            if was is not None:
                free.remove(was)
            entry = was or Entry(self._notebook.book.new_cell(), version.hash)
            kept = self._to_keep(entry) if number in frozen else None
            placed = entry.items if items is None else tuple(items.get(number, ()))
            entries.append(replace(entry, kept=kept, items=placed))
        self._notebook.commit_all(ReplaceAll(tuple(entries), "import"), cells)
        self._notebook.runner.show(self._notebook.entries)

    def rename_datasets(self, names: Mapping[str, str], *, run: bool) -> list[CellId]:
        """Give datasets other names in all cells, as one version. Return the cells that changed; they may run."""
        notebook = self._notebook
        before = notebook.entries
        said = [rename_in_cell(notebook.cell_version(entry), names) for entry in before]
        after = tuple(
            replace(entry, hash=each.hash, items=rename_in_items(entry.items, names))
            for entry, each in zip(before, said, strict=True)
        )
        changed = [new.cell for old, new in zip(before, after, strict=True) if old != new]
        if changed:
            notebook.commit_all(ReplaceAll(after, "rename"), said)
            notebook.runner.show(notebook.entries, run=run and notebook.record.mode != "lazy")
        return changed

    def _to_keep(self, entry: Entry) -> CellRunId | Literal[""]:
        """Return the run whose results a frozen cell of `replace_all` keeps; an empty text if there is none."""
        if entry.kept is not None:
            return entry.kept
        state = self._notebook.runner.states().get(entry.cell)
        if state is not None and state.run is not None and _gave(state.run):
            return state.run.id
        with self._notebook.context.store.database.read() as connection:
            runs = cell_runs.runs_of(connection, [entry.hash]).get(entry.hash, [])
        return next((run.id for run in runs if run.state == "done"), "")


def _before(entries: Sequence[Entry], position: int) -> CellId | None:
    """Return the cell after which a new one goes to get this position; None for the first position."""
    if not 0 <= position <= len(entries):
        raise UserError(f"There is no place {position}.", f"Places are 0 to {len(entries)}.")
    return entries[position - 1].cell if position else None


def _gave(run: CellRun | None) -> bool:
    """Return whether a run ended well, so that its results can be kept."""
    return run is not None and run.state in ("done", "shared") and run.error is None
