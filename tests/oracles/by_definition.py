"""A stand-in workspace that answers by definition, with a fault put in on purpose: what the oracles must catch."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa

from tests.oracles.asking import AnswerRow
from tests.oracles.cases import Batch
from tests.oracles.evaluate import Row, prepare
from tests.oracles.queries import Query
from tests.oracles.render import Style, to_sql
from tests.oracles.worlds import doubts

Fault = Callable[[list[AnswerRow]], list[AnswerRow]]


@dataclass(frozen=True)
class CellRef:
    dataset: str
    row: int
    column: str
    role: str = "computed"


@dataclass
class Lineage:
    rows: list[AnswerRow]
    cells: list[dict[str, list[CellRef]]]

    def cell(self, row: int, column: str, to: str) -> list[CellRef]:
        return self.cells[row][column]

    def pairs(self, to: str) -> tuple[np.ndarray, np.ndarray]:
        pairs = [(n, rid) for n, row in enumerate(self.rows) for table, rid in row.lineage if table == to]
        return np.array([out for out, _ in pairs], dtype=np.int64), np.array([rid for _, rid in pairs], dtype=np.int64)

    def backward(self, rows: list[int], to: str) -> "Ids":
        return Ids({rid for row in rows for table, rid in self.rows[row].lineage if table == to})


@dataclass
class Ids:
    given: set[int]

    @property
    def ids(self) -> np.ndarray:
        return np.array(sorted(self.given), dtype=np.int64)


@dataclass
class Caveats:
    names: tuple[str, ...]
    rows: list[AnswerRow]
    row_set: bool

    def marks(self) -> pa.Table:
        columns = {name: [row.marks[n] for row in self.rows] for n, name in enumerate(self.names)}
        return pa.table(columns | {"_row": [row.row_mark for row in self.rows]})


@dataclass
class Dataset:
    name: str
    names: tuple[str, ...]
    found: list[AnswerRow]
    lineage: Lineage
    caveats: Caveats

    @property
    def count(self) -> int:
        return len(self.found)

    def rows(self, start: int, stop: int) -> pa.Table:
        taken = self.found[start:stop]
        return pa.table({name: [row.values[n] for row in taken] for n, name in enumerate(self.names)})


@dataclass
class Source:
    """A table of the stand-in, from which lineage goes forward."""

    ws: "ByDefinition"
    name: str

    @property
    def lineage(self) -> "Source":
        return self

    def forward(self, rows: list[int], to: str) -> Ids:
        behind = {(self.name, rid) for rid in rows}
        return Ids({n for n, row in enumerate(self.ws.made[to].found) if row.lineage & behind})


@dataclass
class ByDefinition:
    """Answers queries it was told the text of, over the batch it was told of, and then spoils the answer."""

    fault: Fault = field(default=lambda rows: rows)
    batch: Batch | None = None
    queries: dict[str, Query] = field(default_factory=dict)
    made: dict[str, Dataset] = field(default_factory=dict)

    def to_sql(self, query: Query, style: Style) -> str:
        """Remembers what a text means."""
        text = to_sql(query, style)
        self.queries[text] = query
        return text

    def create_tables(self, ws: "ByDefinition", batch: Batch) -> None:
        self.batch = batch

    def __getitem__(self, name: str) -> Source:
        return Source(self, name)

    def sql(self, text: str, name: str) -> Dataset:
        query = self.queries[text]
        assert self.batch is not None
        found, cells, row_set = [], [], False
        for number in range(len(self.batch.cases)):
            known = doubts(query, prepare(query), self.batch, number, 100)
            row_set = row_set or known.row_set
            found += [AnswerRow(one.row.values, one.row.lineage, one.cells, one.absent) for one in known.rows]
            cells += [_refs(query, one.row) for one in known.rows]
        found = self.fault(found)
        made = Dataset(name, query.names, found, Lineage(found, cells), Caveats(query.names, found, row_set))
        self.made[name] = made
        return made


def _refs(query: Query, row: Row) -> dict[str, list[CellRef]]:
    return {name: [CellRef(*cell) for cell in cells] for name, cells in zip(query.names, row.cells, strict=True)}


def loses_a_source(rows: list[AnswerRow]) -> list[AnswerRow]:
    """As if one of several source rows were forgotten."""
    place = next((n for n, row in enumerate(rows) if len(row.lineage) > 1), None)
    return _spoil(rows, place, lambda row: replace(row, lineage=frozenset(sorted(row.lineage)[1:])))


def loses_a_row(rows: list[AnswerRow]) -> list[AnswerRow]:
    return rows[1:]


def loses_a_cell_mark(rows: list[AnswerRow]) -> list[AnswerRow]:
    place = next((n for n, row in enumerate(rows) if any(row.marks)), None)
    return _spoil(rows, place, lambda row: replace(row, marks=(False,) * len(row.marks)))


def loses_a_row_mark(rows: list[AnswerRow]) -> list[AnswerRow]:
    return _spoil(rows, next((n for n, row in enumerate(rows) if row.row_mark), None), _without_row_mark)


def marks_everything(rows: list[AnswerRow]) -> list[AnswerRow]:
    return [replace(row, marks=(True,) * len(row.marks), row_mark=True) for row in rows]


def _without_row_mark(row: AnswerRow) -> AnswerRow:
    return replace(row, row_mark=False)


def _spoil(rows: list[AnswerRow], place: int | None, change: Callable[[AnswerRow], AnswerRow]) -> list[AnswerRow]:
    return rows if place is None else [change(row) if n == place else row for n, row in enumerate(rows)]
