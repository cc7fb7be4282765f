"""Cell lineage: row lineage times column map, worked out when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from whence.lineage.block import Ids
from whence.lineage.cell_refs import CellRefs, CellsOfRole
from whence.lineage.edges import Edges
from whence.model.cellref import ROLES
from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.plan.columnmap import Use
from whence.store.store import Store


@dataclass(frozen=True, order=True)
class ColumnUse:
    """A column of a dataset in a role; `rank` is the role's place in the order in which answers list cells."""

    rank: int
    dataset: DatasetId
    column: str


CellSet = dict[ColumnUse, Ids]
"""Cells as rows by column: a group of a million rows is one array, not a million objects."""


class Cells:
    """Which input cells an output cell was made from."""

    def __init__(self, store: Store, edges: Edges) -> None:
        self._store = store
        self._edges = edges

    def inputs(self, record: DatasetRecord, row: int, column: str) -> CellSet:
        """The cells of the direct inputs."""
        return self._inputs(record, np.array([row], dtype=np.int64), column)

    def at(self, record: DatasetRecord, row: int, column: str, targets: set[DatasetId]) -> CellSet:
        """The cells of these datasets, however far back."""
        found: CellSet = {}
        seen: CellSet = {}
        waiting = list(self.inputs(record, row, column).items())
        while waiting:
            use, rows = waiting.pop()
            new = np.setdiff1d(rows, seen.get(use, rows[:0]))
            if len(new) == 0:
                continue
            _add(seen, use, new)
            if use.dataset in targets:
                _add(found, use, new)
            deeper = self._inputs(self._edges.record(use.dataset), new, use.column)
            # A cell two steps back plays the weaker of the two parts: a copy of an aggregated cell was aggregated.
            waiting += [
                (ColumnUse(max(use.rank, far.rank), far.dataset, far.column), ids) for far, ids in deeper.items()
            ]
        return found

    def at_each(
        self, record: DatasetRecord, row: int, column: str, targets: Iterable[DatasetId]
    ) -> dict[DatasetId, CellSet]:
        """The cells of each of these datasets, all found in one walk; a dataset that has none is there, empty."""
        found: dict[DatasetId, CellSet] = {each: {} for each in targets}
        for use, rows in self.at(record, row, column, set(found)).items():
            found[use.dataset][use] = rows
        return found

    def with_values(self, cells: CellSet) -> CellRefs:
        """The cells as users see them, each with its value, those that gave the value first, then by dataset."""
        # Ids are random: sorted by them, the same question would have another order in each workspace.
        return CellRefs(self._store, sorted((self._run(*each) for each in cells.items()), key=_place))

    def _run(self, use: ColumnUse, rows: Ids) -> CellsOfRole:
        record = self._edges.record(use.dataset)
        self._store.take(record, rows[:0], [use.column])  # a forgotten dataset is an error now, not when it is read
        return CellsOfRole(record, use.column, ROLES[use.rank], rows)

    def _inputs(self, record: DatasetRecord, rows: Ids, column: str) -> CellSet:
        document = self._edges.document(record)
        found: CellSet = {}
        if document is None:
            return found
        known: dict[tuple[DatasetId, str], Ids] = {}
        for use in strongest(document.values[column] | document.row):
            place = document.sources[use.source], use.column
            behind = self._edges.rows_read_by(record, use.source, rows)
            # A cell that was read in two ways, as by a window over its own sort key, has the nearer role.
            ids = np.setdiff1d(behind, known[place]) if place in known else behind
            if len(ids):
                known[place] = np.union1d(known[place], ids) if place in known else ids
                _add(found, ColumnUse(ROLES.index(use.role), *place), ids)
        return found


def _place(run: CellsOfRole) -> tuple[int, str, int, str]:
    return ROLES.index(run.role), run.record.name, run.record.version, run.column


def _add(cells: CellSet, use: ColumnUse, rows: Ids) -> None:
    cells[use] = np.union1d(cells[use], rows) if use in cells else rows


def strongest(uses: Iterable[Use]) -> list[Use]:
    """Return one role for each column of a source: the strongest, `copied` before `computed` and so on."""
    best: dict[tuple[int, str], Use] = {}
    for use in uses:
        known = best.get((use.source, use.column))
        if known is None or ROLES.index(use.role) < ROLES.index(known.role):
            best[use.source, use.column] = use
    return sorted(best.values(), key=lambda use: (ROLES.index(use.role), use.source, use.column))
