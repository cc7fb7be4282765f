"""The derivation of a cell as a small tree: the cells it was made from, and theirs, down to loaded files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pyarrow as pa

from whence.lineage.block import Ids
from whence.lineage.cells import Cells, CellSet, ColumnUse
from whence.lineage.edges import Edges
from whence.lineage.written_origin import WrittenOrigins
from whence.model.cellref import ROLES, CellRef
from whence.model.dataset import DatasetRecord
from whence.model.schema import LINE_COLUMN
from whence.store.store import Store


@dataclass(frozen=True)
class WayCell:
    """One cell on the way: where it stands, what it holds, and what it was made from."""

    cell: CellRef
    line: int | None
    """The line of the loaded file on which its row begins."""
    is_doubtful: bool
    origin: str
    """Where its value was written, for a cell that stands on no data; else empty."""
    inputs: tuple[WayStep, ...]


@dataclass(frozen=True)
class WayStep:
    """The cells of one column that played the same part: how many there are, and the first of them."""

    count: int
    cells: tuple[WayCell, ...]

    @property
    def hidden_count(self) -> int:
        """How many are not shown."""
        return self.count - len(self.cells)


class FlagTables(Protocol):
    """Knows the doubt flags of rows, less those whose caveats have been acknowledged."""

    def table(self, record: DatasetRecord, start: int, stop: int) -> pa.Table:
        """Return one boolean for each user column, for rows start..stop-1."""


class Ways:
    """Makes trees of cells; each step shows the first few cells, so that a tree stays small over large groups."""

    def __init__(self, store: Store, edges: Edges, cells: Cells, *, origins: WrittenOrigins, flags: FlagTables) -> None:
        self._store = store
        self._flags = flags
        self._edges = edges
        self._cells = cells
        self._origins = origins

    def back(self, record: DatasetRecord, row: int, column: str, most: int) -> WayCell:
        """The tree above one cell, at most `most` cells of each column at each step."""
        (cell,) = self._shown_cells(record, np.array([row], dtype=np.int64), column, 0, most)
        return cell

    def _steps(self, found: CellSet, most: int) -> tuple[WayStep, ...]:
        return tuple(self._step(use, found[use], most) for use in sorted(found))

    def _step(self, use: ColumnUse, rows: Ids, most: int) -> WayStep:
        record = self._edges.record(use.dataset)
        return WayStep(len(rows), self._shown_cells(record, rows[:most], use.column, use.rank, most))

    def _shown_cells(self, record: DatasetRecord, rows: Ids, column: str, rank: int, most: int) -> tuple[WayCell, ...]:
        values = self._store.take(record, rows, [column, LINE_COLUMN]).to_pydict()
        cells = []
        for place, row in enumerate(rows.tolist()):
            (flag,) = self._flags.table(record, row, row + 1).column(column).to_pylist()
            ref = CellRef(
                dataset=record.name,
                version=record.version,
                row=row,
                column=column,
                role=ROLES[rank],
                value=values[column][place],
            )
            steps = self._steps(self._cells.inputs(record, row, column), most)
            origin = self._origins.describe(record, row, column, ref.value)
            cells.append(WayCell(ref, values[LINE_COLUMN][place], bool(flag), origin, steps))
        return tuple(cells)
