"""Keep some rows."""

from __future__ import annotations

from whence.notebook.cell import CellContext, Values
from whence.notebook.cells.query import NAME, SOURCE, QueryKind, quoted
from whence.notebook.parameter import Parameter


class Filter(QueryKind):
    """The rows for which a condition holds."""

    name = "filter"
    title = "Filter rows"
    parameters = (SOURCE, Parameter("condition", "text", "a condition in SQL; rows for which it holds stay"), NAME)

    def query(self, context: CellContext, values: Values) -> str:
        context.dataset(values["source"])
        return f"select * from {quoted(values['source'])} where {values['condition']}"
