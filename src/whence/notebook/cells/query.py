"""What the point-and-click kinds share: each writes a query for the user, and the query makes the dataset."""

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
        """The query that says what the cell does."""
        raise NotImplementedError


def run_query(context: CellContext, text: str, name: str) -> DatasetRecord:
    """The dataset that a query over the cell's scope gives."""
    arguments = {each: context.parameters[each] for each in arguments_in(text) if each in context.parameters}
    frame = context.engine.sql(text, context.scope, arguments)
    request = Request(frame, name, "sql", text, is_rerunnable=not arguments, is_reusable=True)
    return derive(context.derive, request)


def arguments_of(values: Values) -> frozenset[str]:
    """The parameters that expressions of a cell ask for as `:name`."""
    return frozenset(name for text in texts_of(values) for name in arguments_in(text))


def looks_at_marks(values: Values) -> bool:
    """Whether an expression of a cell asks what is in doubt."""
    return any(asks_for_marks(text) for text in texts_of(values))


def texts_of(values: Values) -> Iterator[str]:
    """Every text of a cell that may be an expression."""
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
    """A name as SQL wants it.

    >>> quoted("my `data`")
    '`my ``data```'
    """
    return "`" + str(name).replace("`", "``") + "`"
