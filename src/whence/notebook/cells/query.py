"""The base of cell kinds that write a query for the user, and functions for all kinds with SQL expressions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from whence.derive.derive import derive
from whence.derive.request import Request
from whence.model.dataset import DatasetRecord
from whence.model.parameter import Parameter
from whence.notebook.cell import CellContext, CellKind, CellResult, Values, names_in
from whence.notebook.footprint import Footprint
from whence.notebook.sql_words import arguments_in, asks_for_marks

SOURCE = Parameter("source", "dataset", "the dataset to read", is_required=True)
NAME = Parameter("name", "text", "what to call the result", is_required=True)


class QueryKind(CellKind):
    """A kind that reads the datasets named in `read_from` and writes the one named in `name`."""

    read_from: tuple[str, ...] = ("source",)

    def footprint(self, values: Values) -> Footprint:
        reads = names_in(values, *self.read_from) | arguments_of(values)
        return Footprint(reads, names_in(values, "name"), is_exact=True, reads_marks=looks_at_marks(values))

    def run(self, context: CellContext, values: Values) -> CellResult:
        return CellResult.of(run_query(context, self.query(context, values), str(values["name"])))

    def query(self, context: CellContext, values: Values) -> str:
        """Return the query that makes the cell's dataset."""
        raise NotImplementedError


def run_query(context: CellContext, text: str, name: str) -> DatasetRecord:
    """Run a query over the datasets that the cell sees, and return the dataset it makes."""
    arguments = {each: context.parameters[each] for each in arguments_in(text) if each in context.parameters}
    frame = context.engine.sql(text, context.scope, arguments)
    # The stored text does not hold the values of `:name`, so with arguments it cannot be run again.
    request = Request(frame, name, "sql", text, is_rerunnable=not arguments, is_reusable=True)
    return derive(context.derive, request)


def arguments_of(values: Values) -> frozenset[str]:
    """Return the parameters that expressions of a cell use as `:name`."""
    return frozenset(name for text in texts_of(values) for name in arguments_in(text))


def looks_at_marks(values: Values) -> bool:
    """Whether an expression of a cell asks which values are in doubt."""
    return any(asks_for_marks(text) for text in texts_of(values))


def texts_of(values: Values) -> Iterator[str]:
    """Yield every text of a cell that may be an expression, also inside lists and mappings."""
    # `source` and `name` hold names of datasets, no expressions.
    waiting = [value for key, value in values.items() if key not in ("source", "name")]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value


def quoted(name: object) -> str:
    """Return a name in back-quotes, as SQL wants it.

    >>> quoted("my `data`")
    '`my ``data```'
    """
    return "`" + str(name).replace("`", "``") + "`"
