"""Finds the cells and rows behind one cell in every ancestor of its dataset, in one walk over the graph of datasets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from whence.arrays.planner import Planner
from whence.lineage.cell_refs import CellRefs
from whence.lineage.cells import Cells
from whence.lineage.selection import Selection
from whence.lineage.trace import Trace
from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.workspace.checked import checked_row


@dataclass(frozen=True)
class AncestorCells:
    """The cells of one ancestor behind a cell, each with its role, and the rows behind it."""

    cells: CellRefs
    rows: Selection


class CellTraces:
    """Traces cells of the datasets of one workspace."""

    def __init__(self, trace: Trace, cells: Cells, planner: Planner) -> None:
        self._trace = trace
        self._cells = cells
        self._planner = planner

    def of(self, record: DatasetRecord, row: int, column: str) -> dict[DatasetId, AncestorCells]:
        """Return the cells and rows behind a cell, by ancestor."""
        rows = self.rows(record, row)
        cells = self._cells.at_each(record, row, column, rows)
        return {each: AncestorCells(self._cells.with_values(cells[each]), rows[each]) for each in rows}

    def rows(self, record: DatasetRecord, row: int) -> dict[DatasetId, Selection]:
        """Return the rows behind a row, by ancestor."""
        asked = Selection.of(np.array([checked_row(record, row)], dtype=np.int64), record.rows)
        found = self._trace.backward_to_all(record, asked)
        for each in self._trace.ancestors(record):
            if each.id in found:
                self._planner.workload.see(record, each, "backward")
        return found
