"""The `checkpoint` cell kind: copies a dataset and reports its size and what is in doubt."""

from __future__ import annotations

from whence.notebook.cell import CellContext, CellResult, Values
from whence.notebook.cells.query import NAME, SOURCE, QueryKind, quoted
from whence.notebook.display import Rich


class Checkpoint(QueryKind):
    """Copy a dataset under a name of its own, and show its size and how much of it is in doubt."""

    name = "checkpoint"
    title = "Checkpoint"
    group = "Load"
    parameters = (SOURCE, NAME)

    def run(self, context: CellContext, values: Values) -> CellResult:
        result = super().run(context, values)
        (made,) = result.datasets.values()
        doubt = "nothing in doubt" if made.doubt.is_certain else f"in doubt: {_doubt(made.doubt.columns)}"
        text = f"{made.rows:,} rows, {len(made.schema)} columns, {doubt}"
        return CellResult(result.datasets, displays=(Rich({"text/plain": text}),))

    def query(self, context: CellContext, values: Values) -> str:
        context.dataset(values["source"])
        return f"select * from {quoted(values['source'])}"


def _doubt(columns: frozenset[str]) -> str:
    return ", ".join(sorted(columns)) or "which rows there are"
