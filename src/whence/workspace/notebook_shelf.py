"""Holds the open notebooks of a workspace, one handle each, until they are deleted or the workspace closes."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from whence.model.errors import BadInput
from whence.model.lazy_module import LazyModule
from whence.model.notebook import NotebookRecord
from whence.store.notebooks import (
    all_notebooks,
    find_notebook,
    make_notebook,
    name_taken,
    rename_notebook,
    unknown_notebook,
)
from whence.store.shares import digest_of, share_of
from whence.workspace.context import Context

if TYPE_CHECKING:
    import whence.notebook.cells.registry as cell_registry
    import whence.notebook.exchange.jupyter as jupyter_files
    import whence.notebook.exchange.text as text_files
    import whence.notebook.run_cell as cell_runs
    import whence.workspace.notebook as notebook_handles
    import whence.workspace.shared_notebook as shared_notebooks
    from whence.notebook.exchange.text import Content
    from whence.workspace.notebook import Notebook
    from whence.workspace.shared_notebook import SharedNotebook
else:
    # Every workspace has a shelf, and many never have a notebook, whose kinds of cells take long to load.
    cell_registry = LazyModule("whence.notebook.cells.registry")
    jupyter_files = LazyModule("whence.notebook.exchange.jupyter")
    text_files = LazyModule("whence.notebook.exchange.text")
    cell_runs = LazyModule("whence.notebook.run_cell")
    notebook_handles = LazyModule("whence.workspace.notebook")
    shared_notebooks = LazyModule("whence.workspace.shared_notebook")


class NotebookShelf:
    """Opens, creates, imports and deletes notebooks. Names ignore case and surrounding spaces."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._open: dict[str, Notebook] = {}
        # Two handles of one notebook would each run its cells, and tell their own listeners only.
        self._opening = threading.RLock()

    def names(self) -> list[str]:
        """Return the names of the notebooks, oldest first."""
        with self._context.store.database.read() as connection:
            return [record.name for record in all_notebooks(connection)]

    def open(self, name: str) -> Notebook:
        """Return the one handle of a notebook, and create the notebook if it is missing."""
        key = name.strip().lower()
        with self._opening:
            if key not in self._open:
                self._open[key] = notebook_handles.Notebook(self._context, self._find_or_make(name))
            return self._open[key]

    def _find_or_make(self, name: str) -> NotebookRecord:
        """Return the record of a notebook, and store a new one if it is missing."""
        database = self._context.store.database
        with database.read() as connection:
            record = find_notebook(connection, name)
        if record is not None:
            return record
        with database.write("commit-notebook") as connection:
            # Look again: the read above was in another transaction, and names are unique.
            return find_notebook(connection, name) or make_notebook(connection, name)

    def find(self, name: str) -> NotebookRecord:
        """Return the record of a notebook. Raise if there is none of this name."""
        with self._context.store.database.read() as connection:
            record = find_notebook(connection, name)
        if record is None:
            raise unknown_notebook(name, self.names())
        return record

    def rename(self, name: str, new: str) -> None:
        """Give a notebook another name. Its handle stays the same."""
        record = self.find(name)
        with self._opening:
            with self._context.store.database.write("commit-notebook") as connection:
                rename_notebook(connection, record.id, new)
            opened = self._open.pop(name.strip().lower(), None)
            if opened is not None:
                self._open[new.strip().lower()] = opened
                opened.reread()

    def check_free(self, name: str) -> None:
        """Raise if a notebook has this name."""
        with self._context.store.database.read() as connection:
            other = find_notebook(connection, name)
        if other is not None:
            raise name_taken(other.name)

    def drop(self, name: str) -> None:
        """Stop the cells of a notebook and delete it with its whole history."""
        store, record = self._context.store, self.find(name)
        with self._opening:
            opened = self._open.pop(name.strip().lower(), None)
        if opened is not None:
            opened.close()
        store.drop_notebook(record.id)

    def take_in(self, content: Content, name: str | None) -> Notebook:
        """Import cells as a new version of the notebook of that name. Nothing runs."""
        for said in content.cells:  # before the notebook is made: an unknown kind of cell raises
            cell_runs.find_kind(said.kind)
        notebook = self.open(name or content.name)
        notebook.replace(content.cells, content.frozen, content.items)
        return notebook

    def shared(self, token: str) -> SharedNotebook | None:
        """Return the notebook version that the share link with this secret shows."""
        with self._context.store.database.read() as connection:
            record = share_of(connection, digest_of(token.encode("utf-8", "surrogatepass")))
        return None if record is None else shared_notebooks.SharedNotebook(self._context, record)

    def close(self) -> None:
        """Stop the cells of every open notebook."""
        for notebook in self._open.values():
            notebook.close()


def read_content(file: Path) -> Content:
    """Read the cells in a file, Jupyter's (.ipynb) or whence's own text format."""
    try:
        text = file.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{file} cannot be read: {error}.") from error
    if file.suffix.lower() == ".ipynb":
        return jupyter_files.from_jupyter(text, file.stem, tuple(cell_registry.CELL_KINDS))
    return text_files.from_text(text)
