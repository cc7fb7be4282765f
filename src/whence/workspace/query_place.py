"""Names what wrote a dataset as its user knows it: the query of a notebook cell by its number, or a sheet by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whence.model.dataset import DatasetRecord
from whence.model.lazy_module import LazyModule
from whence.store.cell_runs import making_cell
from whence.store.notebooks import notebook_by_id
from whence.store.store import Store

if TYPE_CHECKING:
    import whence.notebook.versions.book as books
else:
    # A workspace without notebooks does without it.
    books = LazyModule("whence.notebook.versions.book")


def query_place(store: Store, record: DatasetRecord) -> str:
    """Return "the query of cell 4" for a dataset that a cell of a checked-out branch made, else "the query".

    A sheet is named by its dataset, as "the sheet prices".
    """
    if record.origin == "sheet":
        return f"the sheet {record.name}"
    what = "the code" if record.origin == "python" else "the query"
    number = _cell_number(store, record)
    return what if number is None else f"{what} of cell {number}"


def _cell_number(store: Store, record: DatasetRecord) -> int | None:
    with store.database.read() as connection:
        maker = making_cell(connection, record.id)
        if maker is None:
            return None
        notebook = notebook_by_id(connection, maker.notebook)
    book = books.Book(store, notebook.id)
    cells = [entry.cell for entry in book.cells(book.head(notebook.branch))]
    return cells.index(maker.cell) + 1 if maker.cell in cells else None
