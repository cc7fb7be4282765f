"""A workspace in memory: the reading half of the public handles over plain Arrow tables, for quick server tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import numpy as np
import pyarrow as pa

from whence.lineage.cell_grounds import CellGrounds
from whence.lineage.selection import Selection
from whence.model.caveat import CaveatGroup
from whence.model.cellref import CellRef
from whence.model.dataset import DatasetRecord, Doubt, Origin
from whence.model.errors import UnknownDataset
from whence.model.ids import DatasetId
from whence.model.schema import Field, Schema
from whence.server.sessions import NoSessionStore, SessionStore
from whence.workspace.served import ServedWorkspace


@dataclass(frozen=True)
class StandInRows:
    ids: np.ndarray

    @property
    def count(self) -> int:
        return len(self.ids)


@dataclass
class StandInLineage:
    edges: dict[str, dict[int, list[int]]] = field(default_factory=dict)
    cells: dict[tuple[int, str, str], list[CellRef]] = field(default_factory=dict)
    exact: bool = True
    strategy: str = "inject: row ids carried through the query"

    def backward(self, rows: Sequence[int], to: StandInDataset) -> StandInRows:
        edge = self.edges[to.record.label]
        return StandInRows(np.unique([i for row in rows for i in edge.get(row, [])]).astype(np.int64))

    def origin(self, row: int, column: str) -> str:
        return ""

    def cell(self, row: int, column: str, to: StandInDataset) -> list[CellRef]:
        return self.cells.get((row, column, to.record.label), [])


@dataclass(frozen=True)
class StandInAncestorCells:
    cells: list[CellRef]
    rows: Selection


@dataclass(frozen=True)
class StandInReaders:
    """Nothing here is written in a query."""

    @property
    def grounds(self) -> StandInReaders:
        return self

    def is_at_hand(self, record: DatasetRecord) -> bool:
        return True

    def of(self, record: DatasetRecord) -> CellGrounds:
        return CellGrounds()


@dataclass(frozen=True)
class StandInContext:
    """What the server asks beyond the handles, about one dataset."""

    dataset: StandInDataset
    readers: StandInReaders = field(default_factory=StandInReaders)

    @property
    def cell_traces(self) -> StandInContext:
        return self

    def of(self, record: DatasetRecord, row: int, column: str) -> dict[DatasetId, StandInAncestorCells]:
        assert record == self.dataset.record
        lineage = self.dataset.lineage
        return {
            parent.record.id: StandInAncestorCells(
                lineage.cell(row, column, parent), Selection.of(lineage.backward([row], parent).ids, parent.count)
            )
            for parent in self.dataset.parents()
        }


@dataclass
class StandInCaveats:
    width: int
    length: int
    cells: set[tuple[int, int]] = field(default_factory=set)
    doubtful_rows: set[int] = field(default_factory=set)
    groups: dict[tuple[int, str], list[CaveatGroup]] = field(default_factory=dict)
    doubt: Doubt = field(default_factory=Doubt)

    def marks(self, start: int = 0, stop: int | None = None) -> pa.Table:
        rows = range(start, self.length if stop is None else stop)
        columns = {f"c{c}": pa.array([(r, c) in self.cells for r in rows], pa.bool_()) for c in range(self.width)}
        return pa.table(columns | {"_row": pa.array([r in self.doubtful_rows for r in rows], pa.bool_())})

    def marks_of(self, rids: Sequence[int]) -> pa.Table:
        return self.marks().take(list(rids))

    def list(self, row: int | None = None, column: str | None = None) -> list[CaveatGroup]:
        return self.groups.get((row or 0, column or ""), [])


@dataclass
class StandInDataset:
    name: str
    table: pa.Table
    types: list[str]
    origin: Origin = "load"
    text: str = ""
    version: int = 1
    doubt: Doubt = field(default_factory=Doubt)
    made_from: list[StandInDataset] = field(default_factory=list)
    first_line: int | None = None
    lineage: StandInLineage = field(default_factory=StandInLineage)
    caveats: StandInCaveats = field(init=False)

    def __post_init__(self) -> None:
        self.caveats = StandInCaveats(self.table.num_columns, self.table.num_rows, doubt=self.doubt)

    @property
    def count(self) -> int:
        rows: int = self.table.num_rows
        return rows

    @property
    def schema(self) -> Schema:
        return Schema(tuple(Field(n, t) for n, t in zip(self.table.column_names, self.types, strict=True)))

    @property
    def record(self) -> DatasetRecord:
        return DatasetRecord(
            id=DatasetId(f"{self.name}-{self.version}"),
            name=self.name,
            version=self.version,
            rows=self.count,
            schema=self.schema,
            origin=self.origin,
            text=self.text,
            created="2026-01-01T00:00:00Z",
            parents=tuple(parent.record.id for parent in self.made_from),
            doubt=self.caveats.doubt,
        )

    @property
    def context(self) -> StandInContext:
        return StandInContext(self)

    def rows(self, start: int, stop: int) -> pa.Table:
        return self.table.slice(start, stop - start)

    def parents(self) -> list[StandInDataset]:
        return self.made_from

    def source_lines(self, rids: Sequence[int]) -> list[int | None]:
        return [None if self.first_line is None else self.first_line + rid for rid in rids]


@dataclass
class StandInWorkspace:
    made: list[StandInDataset] = field(default_factory=list)
    is_engine_running: bool = False
    seconds_starting: float | None = None
    path: Path = Path("price-list.whence")
    links: dict[str, object] = field(default_factory=dict)

    def dataset_makers(self) -> dict[str, str]:
        return {}

    @property
    def browser_sessions(self) -> SessionStore:
        return NoSessionStore()

    def shared(self, token: str) -> object | None:
        return self.links.get(token)

    def datasets(self) -> list[StandInDataset]:
        return self.made

    def __getitem__(self, label: str) -> StandInDataset:
        for dataset in self.made:
            if label in (dataset.name, f"{dataset.name}@{dataset.version}"):
                return dataset
        raise UnknownDataset(f"There is no dataset {label!r}.", "See ws.datasets().")


def served(workspace: StandInWorkspace) -> ServedWorkspace:
    """As the server takes it: it has what the routes under test ask for, and no more."""
    return cast("ServedWorkspace", workspace)
