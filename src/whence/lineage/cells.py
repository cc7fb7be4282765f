"""Cell lineage: row lineage times column map, worked out when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from whence.lineage.edges import Edges
from whence.model.cellref import ROLES, CellRef, Role
from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.plan.columnmap import Use
from whence.store.store import Store


@dataclass(frozen=True, order=True)
class Cell:
    """A cell without its value, in the order in which answers list cells."""

    rank: int
    dataset: DatasetId
    row: int
    column: str

    @property
    def role(self) -> Role:
        """The part the cell played."""
        return ROLES[self.rank]


class Cells:
    """Which input cells an output cell was made from."""

    def __init__(self, store: Store, edges: Edges) -> None:
        self._store = store
        self._edges = edges

    def inputs(self, record: DatasetRecord, row: int, column: str) -> list[Cell]:
        """The cells of the direct inputs, those that gave the value first."""
        document = self._edges.document(record)
        if document is None:
            return []
        uses = document.values[column] | document.row
        found = {
            Cell(ROLES.index(use.role), document.sources[use.source], int(source_row), use.column)
            for use in _strongest(uses)
            for source_row in self._edges.backward(record, use.source, np.array([row], dtype=np.int64))
        }
        return sorted(found)

    def at(self, record: DatasetRecord, row: int, column: str, targets: set[DatasetId]) -> list[Cell]:
        """The cells of these datasets, however far back."""
        found: set[Cell] = set()
        seen: set[Cell] = set()
        waiting = self.inputs(record, row, column)
        while waiting:
            cell = waiting.pop()
            if cell in seen:
                continue
            seen.add(cell)
            if cell.dataset in targets:
                found.add(cell)
            parent = self._store.by_id(cell.dataset)
            waiting += [_through(cell, deeper) for deeper in self.inputs(parent, cell.row, cell.column)]
        return sorted(found)

    def with_values(self, cells: list[Cell]) -> list[CellRef]:
        """The cells as users see them, each with its value."""
        values: dict[Cell, object] = {}
        for dataset in dict.fromkeys(cell.dataset for cell in cells):
            mine = [cell for cell in cells if cell.dataset == dataset]
            values |= self._values(dataset, mine)
        records = {cell.dataset: self._store.by_id(cell.dataset) for cell in cells}
        return [
            CellRef(
                records[cell.dataset].name,
                records[cell.dataset].version,
                cell.row,
                cell.column,
                cell.role,
                values[cell],
            )
            for cell in cells
        ]

    def _values(self, dataset: DatasetId, cells: list[Cell]) -> dict[Cell, object]:
        rows = sorted({cell.row for cell in cells})
        columns = sorted({cell.column for cell in cells})
        table = self._store.take(self._store.by_id(dataset), np.array(rows, dtype=np.int64), columns)
        places = {row: place for place, row in enumerate(rows)}
        return {cell: table.column(cell.column)[places[cell.row]].as_py() for cell in cells}


def _strongest(uses: Iterable[Use]) -> list[Use]:
    """One role for each column of a source: the one nearest to the value."""
    best: dict[tuple[int, str], Use] = {}
    for use in uses:
        known = best.get((use.source, use.column))
        if known is None or ROLES.index(use.role) < ROLES.index(known.role):
            best[use.source, use.column] = use
    return list(best.values())


def _through(near: Cell, far: Cell) -> Cell:
    """A cell two steps back plays the weaker of the two parts: a copy of an aggregated cell was aggregated."""
    return Cell(max(near.rank, far.rank), far.dataset, far.row, far.column)
