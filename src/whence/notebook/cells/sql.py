"""The `sql` cell kind: runs a query over the datasets it sees."""

from __future__ import annotations

from whence.derive.derive import derive
from whence.derive.request import Request
from whence.model.parameter import Parameter
from whence.notebook.cell import CellContext, CellKind, CellResult, Values, names_in
from whence.notebook.footprint import Footprint
from whence.notebook.python_call import write_call
from whence.notebook.sql_words import arguments_in, asks_for_marks, words_in
from whence.plan.sql_tokens import computes_names


class Sql(CellKind):
    """Run one query over the datasets it sees. Its result is a dataset with lineage and doubt flags.

    A parameter set above is asked for as `:name`.
    """

    name = "sql"
    title = "SQL query"
    group = "Query"
    parameters = (
        Parameter("source", "text", "the query", is_required=True),
        Parameter("name", "text", "what to call the result", is_required=True),
    )

    def footprint(self, values: Values) -> Footprint:
        text = str(values.get("source", ""))
        reads = None if computes_names(text) else words_in(text)
        return Footprint(reads, names_in(values, "name"), reads_marks=asks_for_marks(text))

    def to_sql(self, values: Values) -> str:
        return str(values.get("source") or "")

    def to_python(self, values: Values) -> str:
        return write_call("ws.sql", self.to_sql(values), name=values.get("name"))

    def run(self, context: CellContext, values: Values) -> CellResult:
        text, name = str(values["source"]), str(values["name"])
        arguments = {each: context.parameters[each] for each in arguments_in(text) if each in context.parameters}
        # A name that the query computes may be that of any dataset or function.
        names = {*context.scope, *context.functions} if computes_names(text) else words_in(text)
        called = {each for each in names if each in context.functions}
        query = context.engine.read(context.engine.sql(text, context.scope, arguments, context.functions))
        # The stored text holds neither the values of `:name` nor exported functions.
        is_rerunnable = not arguments and not called
        request = Request(query, name, "sql", text, is_rerunnable=is_rerunnable, is_reusable=True)
        record = derive(context.derive, request)
        # The footprint counts every word that may be a name; from here on, what Spark really read counts.
        seen = (each for each in names if each in context.scope)
        read = {each for each in seen if context.scope[each].id in query.sources}
        return CellResult({name: record}, reads=frozenset(read | called | arguments.keys()))
