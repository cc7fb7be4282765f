"""Show the last column first."""

from __future__ import annotations

from whence.notebook.cell import CellContext, Values
from whence.notebook.cells.query import NAME, SOURCE, QueryKind, quoted


class ReverseColumns(QueryKind):
    """The same rows with their columns in the other order."""

    name = "reverse_columns"
    title = "Reverse the columns"
    group = "Query"
    parameters = (SOURCE, NAME)

    def query(self, context: CellContext, values: Values) -> str:
        columns = reversed(context.dataset(values["source"]).schema.names)
        return f"select {', '.join(map(quoted, columns))} from {quoted(values['source'])}"
