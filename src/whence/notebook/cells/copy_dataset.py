"""The `copy_dataset` cell kind: gives a dataset a second name."""

from __future__ import annotations

from whence.notebook.cell import CellContext, Values
from whence.notebook.cells.query import NAME, SOURCE, QueryKind, quoted


class CopyDataset(QueryKind):
    """Copy a dataset under another name. A change of one does not touch the other."""

    name = "copy_dataset"
    title = "Copy a dataset"
    group = "Load"
    parameters = (SOURCE, NAME)

    def query(self, context: CellContext, values: Values) -> str:
        context.dataset(values["source"])
        return f"select * from {quoted(values['source'])}"
