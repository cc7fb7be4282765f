"""Which old row of a dataset each row of a new run is, told by the source rows both were made from."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from whence.lineage.block import Ids
from whence.lineage.edges import Edges
from whence.lineage.index import build_index
from whence.lineage.rerun import RerunResult
from whence.model.dataset import DatasetRecord
from whence.store.store import Store

_MOST_COMPARED = 1000
"""Among more rows than this that were all made from the same ones, the first are looked at."""


def same_rows(
    store: Store, edges: Edges, record: DatasetRecord, again: RerunResult, places: Iterable[int]
) -> dict[int, int]:
    """For new rows, by place, the old row that was made from at least the same source rows, if there is one.

    Where several fit (an exploded array, a group and the total above it) it is the one with the most equal values.
    """
    sources = range(len(edges.sources(record)))
    indexes = [build_index(*again.block.pairs(source), again.block.rows) for source in sources]
    taken: set[int] = set()
    found: dict[int, int] = {}
    for place in places:
        fitting: set[int] | None = None
        for source, index in enumerate(indexes):
            ids = np.unique(index.of(np.array([place], dtype=np.int64)))
            if len(ids):
                having = _rows_from_all(edges, record, source, ids)
                fitting = having if fitting is None else fitting & having
        free = sorted((fitting or set()) - taken)[:_MOST_COMPARED]
        if free:
            found[place] = free[0] if len(free) == 1 else _most_alike(store, record, again, place, free)
            taken.add(found[place])
    return found


def _rows_from_all(edges: Edges, record: DatasetRecord, source: int, ids: Ids) -> set[int]:
    _, outs = edges.lookup_each(record, source, ids, backward=False)
    rows, counts = np.unique(outs, return_counts=True)
    return set(rows[counts == len(ids)].tolist())


def _most_alike(store: Store, record: DatasetRecord, again: RerunResult, place: int, rows: list[int]) -> int:
    (new,) = again.table.slice(place, 1).to_pylist()
    old = store.take(record, rows).to_pylist()
    alike = [sum(repr(each[name]) == repr(new[name]) for name in new) for each in old]
    return rows[alike.index(max(alike))]
