"""Run a SQL query."""

from __future__ import annotations

from whence.caveats.derive import derive
from whence.model.dataset import DatasetRecord
from whence.notebook.cell import CellContext, CellKind, Footprint, Parameter, Values


class Sql(CellKind):
    """One query over datasets of the workspace; its result is a dataset with lineage and marks."""

    name = "sql"
    title = "SQL query"
    parameters = (
        Parameter("source", "text", "the query"),
        Parameter("name", "text", "what to call the result"),
    )

    def footprint(self, values: Values) -> Footprint:
        # Which of the names in the text are datasets, only Spark's parser can tell, and it may not be running yet.
        return Footprint(None, frozenset({str(values["name"])}))

    def run(self, context: CellContext, values: Values) -> DatasetRecord:
        text = str(values["source"])
        return derive(context.store, context.engine, context.engine.sql(text), str(values["name"]), "sql", text)
