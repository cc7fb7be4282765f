"""The calls of `Workspace` about notebooks: open, list, import, share and delete them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from whence.model.lazy_module import LazyModule
from whence.store.owned import owners
from whence.workspace.context import Context
from whence.workspace.notebook_shelf import NotebookShelf, read_content
from whence.workspace.workspace_reader import WorkspaceReader

if TYPE_CHECKING:
    import whence.notebook.exchange.text as text_files
    import whence.workspace.dataset_names as dataset_names
    from whence.workspace.dataset_names import RenamedDataset
    from whence.workspace.notebook import Notebook
    from whence.workspace.shared_notebook import SharedNotebook
else:
    # The cell kinds take long to import, so they load with the first notebook.
    text_files = LazyModule("whence.notebook.exchange.text")
    dataset_names = LazyModule("whence.workspace.dataset_names")


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

    def rename_notebook(self, name: str, new: str) -> None:
        """Give a notebook another name. Its cells, its history and its share links stay.

        >>> ws.notebook("draft").append("markdown", source="# Prices")
        <cell c1 markdown: ...>
        >>> ws.rename_notebook("draft", "prices of May")
        >>> ws.notebook("prices of May").cells[0].source
        '# Prices'
        """
        self._notebooks.rename(name, new)

    def copy_notebook(self, name: str, new: str) -> Notebook:
        """Copy the cells of a notebook to a new one. Their datasets get other names, and nothing runs.

        >>> _ = ws.notebook("once").append("sql", source="select 1 as x", name="x_once")
        >>> [cell.name for cell in ws.copy_notebook("once", "twice").cells]
        ['x_once_copy']
        """
        self._notebooks.find(name)
        self._notebooks.check_free(new)
        content = text_files.from_text(self._notebooks.open(name).text)
        taken = dataset_names.taken_names(self._context.store)
        return self._notebooks.take_in(dataset_names.copy_content(content, new, taken), new)

    def rename_dataset(self, name: str, new: str) -> RenamedDataset:
        """Give a dataset that a notebook makes another name, in the cells of all notebooks that make or read it.

        The code of Python cells stays as it is; the answer lists those that have the old name in it.

        >>> nb = ws.notebook("naming")
        >>> _ = nb.append("sql", source="select 1 as x", name="old_name")
        >>> _ = nb.append("sql", source="select x + 1 as y from old_name", name="sums")
        >>> _ = nb.wait()
        >>> _ = ws.rename_dataset("old_name", "new_name")
        >>> [cell.source for cell in nb.wait().cells], ws["new_name"].count
        (['select 1 as x', 'select x + 1 as y from new_name'], 1)
        """
        opened = [self._notebooks.open(each) for each in self.notebooks()]
        return dataset_names.rename_dataset(self._context.store, name, new, opened)

    def dataset_makers(self) -> dict[str, str]:
        """Return the notebook that makes each dataset, by the dataset's name in lower case."""
        with self._context.store.database.read() as connection:
            return owners(connection)

    def drop_notebook(self, name: str) -> None:
        """Stop the cells of a notebook and delete it with its whole history. Other notebooks may use its names again.

        Datasets that its cells made stay as long as something uses them. `whence gc` moves the others to the trash.

        >>> _ = ws.notebook("scratch").append("markdown", source="a thought")
        >>> ws.drop_notebook("scratch")
        >>> "scratch" in ws.notebooks()
        False
        """
        self._notebooks.drop(name)
