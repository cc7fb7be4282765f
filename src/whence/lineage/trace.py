"""Follows lineage through any number of datasets, along every way at once or along the one that is named."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from whence.lineage.block import Ids
from whence.lineage.edges import Edges, unique_pairs
from whence.lineage.index import build_index
from whence.model.dataset import DatasetRecord
from whence.model.errors import NotRelated
from whence.model.ids import DatasetId
from whence.store.store import Store

Chain = tuple[DatasetRecord, ...]
"""Datasets from the newest to the oldest, each after everything that was made from it."""


class Trace:
    """Questions that cross datasets. Each dataset on the way is visited once, however many ways lead through it."""

    def __init__(self, store: Store, edges: Edges) -> None:
        self._store = store
        self._edges = edges

    def ancestors(self, record: DatasetRecord) -> Chain:
        """Everything this dataset was made from, however far back, newest first."""
        return self._from_newest(record)[1:]

    def backward(self, record: DatasetRecord, ids: Ids, target: DatasetRecord, via: Sequence[str] = ()) -> Ids:
        """The rows of `target` that these rows were made from."""
        selected = {record.id: ids}
        for each in self._between(record, target, via)[:-1]:
            for number, source in enumerate(self._sources(each)):
                found = self._edges.backward(each, number, selected.get(each.id, _NONE))
                selected[source] = np.union1d(selected.get(source, _NONE), found)
        return selected[target.id]

    def forward(self, record: DatasetRecord, ids: Ids, target: DatasetRecord, via: Sequence[str] = ()) -> Ids:
        """The rows of `target` that were made from these rows."""
        selected = {record.id: ids}
        for each in reversed(self._between(target, record, via)[:-1]):
            found = [
                self._edges.forward(each, number, selected[source])
                for number, source in enumerate(self._sources(each))
                if source in selected
            ]
            selected[each.id] = np.unique(np.concatenate([_NONE, *found]))
        return selected[target.id]

    def pairs(self, record: DatasetRecord, target: DatasetRecord) -> tuple[Ids, Ids]:
        """Every (row, row of target it was made from), each once."""
        every = np.arange(record.rows, dtype=np.int64)
        selected = {record.id: (every, every)}
        for each in self._between(record, target, ())[:-1]:
            outs, ids = selected.get(each.id, (_NONE, _NONE))
            for number, source in enumerate(self._sources(each)):
                index = build_index(*self._edges.pairs(each, number), each.rows)
                more = np.repeat(outs, index.lengths(ids)), index.of(ids)
                known = selected.get(source, (_NONE, _NONE))
                selected[source] = unique_pairs(
                    np.concatenate([known[0], more[0]]), np.concatenate([known[1], more[1]])
                )
        return selected[target.id]

    def _between(self, record: DatasetRecord, target: DatasetRecord, via: Sequence[str]) -> Chain:
        """The datasets on the ways from `record` back to `target`, ends included."""
        chain = self._from_newest(record)
        if target.id == record.id or target not in chain:
            raise self._unrelated(record, target)
        reaching = {target.id}
        for each in reversed(chain):
            if reaching & set(self._sources(each)):
                reaching.add(each.id)
        kept = tuple(each for each in chain if each.id in reaching and each.id != target.id)
        if not via:
            return (*kept, target)
        named = tuple(each for each in kept[1:] if each.name in via)
        if [each.name for each in named] != list(via) or not self._is_way((record, *named, target)):
            raise NotRelated(f"No way from {record.label} to {target.label} goes through just {', '.join(via)}.")
        return (record, *named, target)

    def _is_way(self, chain: Chain) -> bool:
        return all(older.id in self._sources(newer) for newer, older in pairwise(chain))

    def _from_newest(self, record: DatasetRecord) -> Chain:
        """The dataset and its ancestors in an order in which nothing comes before what was made from it."""
        finished: dict[DatasetId, DatasetRecord] = {}
        waiting: list[tuple[DatasetRecord, bool]] = [(record, False)]
        while waiting:
            each, is_explored = waiting.pop()
            if is_explored:
                finished.setdefault(each.id, each)
            elif each.id not in finished:
                waiting.append((each, True))
                waiting += [(self._store.by_id(source), False) for source in self._sources(each)]
        return tuple(reversed(finished.values()))

    def _sources(self, record: DatasetRecord) -> tuple[DatasetId, ...]:
        document = self._edges.document(record)
        return () if document is None else document.sources

    def _unrelated(self, record: DatasetRecord, target: DatasetRecord) -> NotRelated:
        names = ", ".join(each.label for each in self.ancestors(record))
        made_from = f"It was made from {names}." if names else "It was loaded or created, not made from a dataset."
        return NotRelated(f"{record.label} was not made from {target.label}.", made_from)


_NONE = np.empty(0, dtype=np.int64)
