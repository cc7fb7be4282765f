"""The state of an open notebook: its branch, its newest version, the runner of its cells and their session."""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from contextlib import suppress

from whence.model.notebook import CellId, CellVersion, Entry, Mode, NotebookRecord, VersionRecord
from whence.notebook.cells.registry import CELL_KINDS
from whence.notebook.schedule.knowledge import Knowledge
from whence.notebook.schedule.runner import Runner
from whence.notebook.session.interpreter import Interpreter
from whence.notebook.session.session import SharedSession
from whence.notebook.versions.book import Book, Command
from whence.notebook.versions.edits import Arrange, Cells, Edit, ReplaceAll, position
from whence.store import cell_runs, notebooks
from whence.workspace.cell_previews import CellPreviews
from whence.workspace.context import Context


class OpenNotebook:
    """Owns everything that changes while a notebook is open. Every edit passes through it to the runner."""

    def __init__(self, context: Context, record: NotebookRecord) -> None:
        self.context = context
        self.record = record
        store, engine = context.store, context.engine
        self.book = Book(store, record.id)
        self.knowledge = Knowledge(store, record.id, self.book, CELL_KINDS)
        self.runner = Runner(
            store=store,
            engine=engine,
            notebook=record.id,
            knowledge=self.knowledge,
            kinds=CELL_KINDS,
            workers=context.background.workers,
            services=context.services,
            capture=context.writers.capture,
        )
        self.previews = CellPreviews(engine, self.runner)
        self.author = _user()
        self.version = self.book.head(record.branch)
        self.shared: SharedSession | None = None
        self._follow_mode()
        self.runner.show(self.entries)

    @property
    def entries(self) -> Cells:
        """The cells of the newest version, from top to bottom."""
        return self.book.cells(self.version)

    def entries_at(self, version: int | None) -> Cells:
        """Return the cells of a version. None means the newest."""
        return self.book.cells(self.version if version is None else version)

    def cell_version(self, entry: Entry) -> CellVersion:
        """Return the kind and values of an entry, which names them by hash."""
        return self.book.cell_versions([entry.hash])[entry.hash]

    def current_version(self, cell: CellId) -> CellVersion:
        """Return the kind and values of a cell in the newest version."""
        entries = self.entries
        return self.cell_version(entries[position(entries, cell)])

    def commit(self, edit: Edit, said: CellVersion | None, command: Command) -> VersionRecord:
        """Commit an edit as a new version, and run the cells that it made stale unless the notebook is lazy."""
        try:
            return self.book.commit(self.record.branch, edit, said, command)
        finally:
            self.version = self.book.head(self.record.branch)
            self.runner.show(self.entries, edited=edit.cell, run=self.record.mode != "lazy")

    def commit_all(self, edit: ReplaceAll, said: Sequence[CellVersion]) -> None:
        """Commit a replacement of all cells. Nothing runs, and the caller must show the new cells to the runner."""
        self.book.commit(self.record.branch, edit, said, Command(self.author))
        self.version = self.book.head(self.record.branch)

    def commit_page(self, edit: Arrange, command: Command) -> None:
        """Commit another arrangement of the page. Nothing runs."""
        try:
            self.book.commit(self.record.branch, edit, None, command)
        finally:
            self.version = self.book.head(self.record.branch)
            self.runner.show(self.entries)

    def checkout(self, branch: str) -> None:
        """Switch to another branch."""
        version = self.book.head(branch)  # first: it raises if there is no such branch
        self._set(branch=branch)
        self.version = version
        self.runner.show(self.entries, run=self.record.mode != "lazy")

    def set_mode(self, mode: Mode) -> None:
        """Change the mode, and begin or end the session accordingly."""
        self._set(mode=mode)
        self._follow_mode()
        self.runner.show(self.entries)

    def reread(self) -> None:
        """Read the record again, after the notebook got another name."""
        with self.context.store.database.read() as connection:
            self.record = notebooks.notebook_by_id(connection, self.record.id)

    def close(self) -> None:
        """Stop all cells and end the session."""
        if self.shared is not None:
            self.shared.close()
        self.runner.close()

    def _set(self, **values: str) -> None:
        with self.context.store.database.write("commit-notebook") as connection:
            notebooks.set_notebook(connection, self.record.id, **values)
            self.record = notebooks.notebook_by_id(connection, self.record.id)

    def _follow_mode(self) -> None:
        """Begin or end the session, as the mode says."""
        if self.record.mode == "session" and self.shared is None:
            self.shared = self._begin_session()
        elif self.record.mode != "session" and self.shared is not None:
            self.shared.close()
            self.shared = None
        self.runner.shared = self.shared

    def _begin_session(self) -> SharedSession:
        context = self.context
        with context.store.database.read() as connection:
            given = cell_runs.last_of_cells(connection, self.record.id, "shared")
        return SharedSession(self.runner, Interpreter(context.background.workers, context.engine), given)


def _user() -> str:
    with suppress(Exception):  # a process without a user has no name
        return getpass.getuser()
    return ""
