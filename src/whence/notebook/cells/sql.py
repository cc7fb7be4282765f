"""Run a SQL query."""

from __future__ import annotations

from whence.caveats.derive import derive_query
from whence.notebook.cell import CellContext, CellKind, CellResult, Parameter, Values, names_in
from whence.notebook.footprint import Footprint


class Sql(CellKind):
    """One query over the datasets it sees; its result is a dataset with lineage and marks."""

    name = "sql"
    title = "SQL query"
    parameters = (
        Parameter("source", "text", "the query"),
        Parameter("name", "text", "what to call the result"),
    )

    def footprint(self, values: Values) -> Footprint:
        # Which of the names in the text are datasets, only Spark's parser can tell, and it may not be running yet.
        return Footprint(None, names_in(values, "name"))

    def run(self, context: CellContext, values: Values) -> CellResult:
        text = str(values["source"])
        query = context.engine.read(context.engine.sql(text, context.scope))
        record = derive_query(context.store, context.engine, query, str(values["name"]), "sql", text)
        read = frozenset(name for name, seen in context.scope.items() if seen.id in query.sources)
        return CellResult({str(values["name"]): record}, reads=read)
