"""Recomputes output rows from the rows they were made from."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from whence.lineage.block import Ids
from whence.lineage.edges import Edges
from whence.lineage.rerun import Rerun, RerunResult
from whence.lineage.same_rows import same_rows
from whence.lineage.selection import Selection
from whence.model.dataset import DatasetRecord
from whence.store.store import Store

DeletedRows = dict[int, Selection]
"""By source number, rows that are left out."""


class Refresh:
    """Runs the query of a dataset on some of its rows' lineage."""

    def __init__(self, store: Store, edges: Edges, rerun: Rerun) -> None:
        self._store = store
        self._edges = edges
        self._rerun = rerun

    def rows(self, record: DatasetRecord, rows: Selection, deleted: DeletedRows | None = None) -> tuple[Ids, pa.Table]:
        """Run the query on the rows behind the given rows; return those that come out again, and their values."""
        query, plan = self._rerun.query(record)
        chosen: dict[int, Ids] = {}
        # Among fewer rows a window would find other neighbours, so what lies below one is read whole.
        below_windows = frozenset[int]().union(*(step.sources for step in plan.walk() if step.traits.reads_around))
        traced = self._rerun.traced_sources(record, query)
        for number in self._rerun.contributing_sources(query, plan, traced) - below_windows:
            if number < len(query.sources):
                behind = self._edges.select(record, number, rows, backward=True).ids
                gone = (deleted or {}).get(number)
                chosen[number] = behind if gone is None else np.setdiff1d(behind, gone.ids, assume_unique=True)
        again = self._rerun.on(record, chosen)
        old = self.old_rows(record, again, range(again.block.rows))
        kept = sorted((row, place) for place, row in old.items() if rows.mask[row])
        ids = np.array([row for row, _ in kept], dtype=np.int64)
        return ids, again.table.take(pa.array([place for _, place in kept], pa.int64()))

    def rerun_all(self, record: DatasetRecord, deleted: DeletedRows) -> RerunResult:
        """The whole query without the deleted rows."""
        return self._rerun.on(record, {number: gone.rest for number, gone in deleted.items()})

    def old_rows(self, record: DatasetRecord, again: RerunResult, places: range | list[int]) -> dict[int, int]:
        """Which old row each new row is, as far as lineage tells."""
        document = self._edges.document(record)
        if document is not None and document.is_global and record.rows == 1:
            return dict.fromkeys(places, 0)  # an aggregate without keys is known even if it lost all its rows
        return same_rows(self._store, self._edges, record, again, places)
