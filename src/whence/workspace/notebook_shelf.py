"""The notebooks of a workspace: each is opened once, and stays open until it is deleted or the workspace closes."""

from __future__ import annotations

from pathlib import Path

from whence.model.errors import BadInput
from whence.notebook.cells.registry import CELL_KINDS
from whence.notebook.exchange.jupyter import from_jupyter
from whence.notebook.exchange.text import Content, from_text
from whence.notebook.run_cell import find_kind
from whence.store.notebooks import all_notebooks, find_notebook, make_notebook, unknown_notebook
from whence.store.shares import digest_of, share_of
from whence.workspace.context import Context
from whence.workspace.notebook import Notebook
from whence.workspace.shared_notebook import SharedNotebook


class NotebookShelf:
    """Finds, makes, takes in and deletes notebooks; names differ by more than case and spaces around them."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._open: dict[str, Notebook] = {}

    def names(self) -> list[str]:
        """The names of the notebooks, oldest first."""
        with self._context.store.database.read() as connection:
            return [record.name for record in all_notebooks(connection)]

    def open(self, name: str) -> Notebook:
        """A notebook, made if it is missing."""
        store, key = self._context.store, name.strip().lower()
        if key not in self._open:
            with store.database.read() as connection:
                record = find_notebook(connection, name)
            if record is None:
                with store.database.write("commit-notebook") as connection:
                    record = find_notebook(connection, name) or make_notebook(connection, name)
            self._open[key] = Notebook(lambda: self._context, record)
        return self._open[key]

    def drop(self, name: str) -> None:
        """Delete a notebook with its whole history, once its cells have stopped."""
        store = self._context.store
        with store.database.read() as connection:
            record = find_notebook(connection, name)
        if record is None:
            raise unknown_notebook(name, self.names())
        opened = self._open.pop(name.strip().lower(), None)
        if opened is not None:
            opened.close()
        store.drop_notebook(record.id)

    def take_in(self, content: Content, name: str | None) -> Notebook:
        """Make these cells a new version of the notebook of that name; nothing runs."""
        for said in content.cells:
            find_kind(said.kind)
        notebook = self.open(name or content.name)
        notebook.replace(content.cells, content.frozen)
        return notebook

    def shared(self, token: str) -> SharedNotebook | None:
        """What the share link with this secret shows."""
        with self._context.store.database.read() as connection:
            record = share_of(connection, digest_of(token.encode("utf-8", "surrogatepass")))
        return None if record is None else SharedNotebook(self._context, record)

    def close(self) -> None:
        """Stop every cell that runs."""
        for notebook in self._open.values():
            notebook.close()


def read_content(file: Path) -> Content:
    """The cells in a file, Jupyter's (.ipynb) or our own text."""
    try:
        text = file.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{file} cannot be read: {error}.") from error
    if file.suffix.lower() == ".ipynb":
        return from_jupyter(text, file.stem, tuple(CELL_KINDS))
    return from_text(text)
