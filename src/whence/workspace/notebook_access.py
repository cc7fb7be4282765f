"""The calls of `Workspace` about notebooks: open, list, import, share and delete them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from whence.model.lazy_module import LazyModule
from whence.workspace.context import Context
from whence.workspace.notebook_shelf import NotebookShelf, read_content
from whence.workspace.workspace_reader import WorkspaceReader

if TYPE_CHECKING:
    import whence.notebook.exchange.text as text_files
    from whence.workspace.notebook import Notebook
    from whence.workspace.shared_notebook import SharedNotebook
else:
    # The cell kinds take long to import, so they load with the first notebook.
    text_files = LazyModule("whence.notebook.exchange.text")


class NotebookAccess(WorkspaceReader):
    """The calls of `Workspace` about notebooks."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._notebooks = NotebookShelf(context)

    def notebook(self, name: str) -> Notebook:
        """Return the notebook of this name, and create it if it is missing.

        >>> nb = ws.notebook("first steps")
        >>> nb.append("sql", source="select 6 * 7 as answer", name="answer")
        <cell c1 sql: ...>
        >>> nb.wait().cells[0].status, ws["answer"].to_arrow().to_pylist()
        ('ready', [{'answer': 42}])
        """
        return self._notebooks.open(name)

    def notebooks(self) -> list[str]:
        """Return the names of the notebooks, oldest first."""
        return self._notebooks.names()

    def read_notebook(self, text: str, name: str | None = None) -> Notebook:
        """Import a notebook from text, as a new version of the notebook of that name. Nothing runs.

        >>> nb = ws.notebook("original")
        >>> _ = nb.append("markdown", source="# Prices")
        >>> ws.read_notebook(nb.text, name="copy").cells[0].source
        '# Prices'
        """
        return self._notebooks.take_in(text_files.from_text(text), name)

    def import_notebook(self, path: str | os.PathLike[str], name: str | None = None) -> Notebook:
        """Import a notebook from a file, Jupyter's (.ipynb) or whence's own text format. Nothing runs.

        >>> nb = ws.notebook("shared")
        >>> _ = nb.append("sql", source="select 1 as x", name="one")
        >>> nb.wait().export("shared.ipynb")
        >>> ws.import_notebook("shared.ipynb", name="taken over").cells[0].source
        'select 1 as x'
        """
        return self._notebooks.take_in(read_content(Path(path)), name)

    def shared(self, token: str) -> SharedNotebook | None:
        """Return the notebook version that the link with this secret shows; None if the link is unknown or has ended.

        >>> nb = ws.notebook("for all")
        >>> _ = nb.append("markdown", source="# Prices")
        >>> ws.shared(nb.wait().share().token).cells[0].source
        '# Prices'
        """
        return self._notebooks.shared(token)

    def drop_notebook(self, name: str) -> None:
        """Stop the cells of a notebook and delete it with its whole history. Other notebooks may use its names again.

        Datasets that its cells made stay as long as something uses them. `whence gc` moves the others to the trash.

        >>> _ = ws.notebook("scratch").append("markdown", source="a thought")
        >>> ws.drop_notebook("scratch")
        >>> "scratch" in ws.notebooks()
        False
        """
        self._notebooks.drop(name)
