"""Follows lineage through any number of datasets, along all paths between two of them or along a named one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from whence.lineage.block import Ids
from whence.lineage.edges import Edges
from whence.lineage.influence import find_influenced_rows, find_influencing_rows
from whence.lineage.lookup import unique_pairs
from whence.lineage.selection import Selection
from whence.model.dataset import DatasetRecord
from whence.model.errors import NotRelated
from whence.model.ids import DatasetId
from whence.store.forgotten import ForgottenRecord
from whence.store.memory_cache import MemoryCache
from whence.store.store import Store

Chain = tuple[DatasetRecord, ...]
"""Datasets from the newest to the oldest, each after everything that was made from it."""

Pairs = tuple[Ids, Ids]
"""Which question, and a row that answers it; sorted, each pair once."""


@dataclass(frozen=True)
class Hop:
    """One edge on a way: source number `number` of a dataset, and the dataset behind it."""

    record: DatasetRecord
    number: int
    source: DatasetRecord


class Trace:
    """Questions that cross datasets. Each edge on the way is followed once, however many ways lead through it."""

    def __init__(self, store: Store, edges: Edges) -> None:
        self._store = store
        self._edges = edges
        self._chain = MemoryCache(store, self._from_newest, most=4096)
        self._hops = MemoryCache(store, self._find_hops, most=4096)

    def ancestors(self, record: DatasetRecord) -> Chain:
        """Everything this dataset was made from, however far back, newest first."""
        return self._chain(record.id)[1:]

    def descendants(self, record: DatasetRecord) -> Chain:
        """Everything made from this dataset, however many steps on, nearest first."""
        found: dict[DatasetId, DatasetRecord] = {}
        waiting = [record.id]
        while waiting:
            children = self._store.children(waiting.pop(0))
            waiting += [child.id for child in children if child.id not in found]
            found |= {child.id: child for child in children}
        return tuple(found.values())

    def hops(self, record: DatasetRecord, target: DatasetRecord, via: Sequence[str] = ()) -> tuple[Hop, ...]:
        """The edges on the ways from `record` back to `target`, nearest to `record` first."""
        return self._hops(record.id, target.id, tuple(via))

    def backward(
        self,
        record: DatasetRecord,
        rows: Selection,
        target: DatasetRecord,
        via: Sequence[str] = (),
        *,
        influence: bool = False,
    ) -> Selection:
        """The rows of `target` that these rows were made from, or that influenced them."""
        return self._follow_back(record, rows, self.hops(record, target, via), influence=influence)[target.id]

    def backward_to_all(self, record: DatasetRecord, rows: Selection) -> dict[DatasetId, Selection]:
        """The rows of every ancestor that these rows were made from; forgotten datasets are left out."""
        hops = [hop for each in self._chain(record.id) for hop in self._inputs(each)]
        kept = [hop for hop in hops if not isinstance(hop.source, ForgottenRecord)]
        found = self._follow_back(record, rows, kept, influence=False)
        return {dataset: selected for dataset, selected in found.items() if dataset != record.id}

    def _follow_back(
        self, record: DatasetRecord, rows: Selection, hops: Iterable[Hop], *, influence: bool
    ) -> dict[DatasetId, Selection]:
        """The rows behind these in every dataset on the way; the hops nearest to `record` come first."""
        selected = {record.id: rows}
        for hop in hops:
            known = selected.get(hop.source.id)
            if known is None or not known.is_everything:
                asked = selected[hop.record.id]
                found = self._edges.select(hop.record, hop.number, asked, backward=True)
                if influence:
                    found |= find_influencing_rows(self._edges, hop.record, hop.number, asked)
                selected[hop.source.id] = found if known is None else known | found
        return selected

    def forward(
        self,
        record: DatasetRecord,
        rows: Selection,
        target: DatasetRecord,
        via: Sequence[str] = (),
        *,
        influence: bool = False,
    ) -> Selection:
        """The rows of `target` that were made from these rows, or influenced by them."""
        return self.reached(record, rows, target, via, influence=influence)[target.id]

    def reached(
        self,
        record: DatasetRecord,
        rows: Selection,
        target: DatasetRecord,
        via: Sequence[str] = (),
        *,
        influence: bool = False,
    ) -> dict[DatasetId, Selection]:
        """The rows made from these rows in every dataset on the ways to `target`."""
        selected = {record.id: rows}
        for hop in reversed(self.hops(target, record, via)):
            known = selected.get(hop.record.id)
            if known is None or not known.is_everything:
                asked = selected[hop.source.id]
                found = self._edges.select(hop.record, hop.number, asked, backward=False)
                if influence:
                    found |= find_influenced_rows(self._edges, hop.record, hop.number, asked)
                selected[hop.record.id] = found if known is None else known | found
        return selected

    def backward_each(
        self, record: DatasetRecord, questions: Ids, rows: Ids, target: DatasetRecord, via: Sequence[str] = ()
    ) -> Pairs:
        """Several questions at once: question i asks about rows[i]; the answer keeps which question a row answers."""
        selected = {record.id: unique_pairs(questions, rows)}
        for hop in self.hops(record, target, via):
            found = self._other_ends(hop, selected[hop.record.id], backward=True)
            selected[hop.source.id] = _merge_pairs(selected.get(hop.source.id), found)
        return selected[target.id]

    def forward_each(
        self, record: DatasetRecord, questions: Ids, rows: Ids, target: DatasetRecord, via: Sequence[str] = ()
    ) -> Pairs:
        """Several questions at once, the other way."""
        selected = {record.id: unique_pairs(questions, rows)}
        for hop in reversed(self.hops(target, record, via)):
            found = self._other_ends(hop, selected[hop.source.id], backward=False)
            selected[hop.record.id] = _merge_pairs(selected.get(hop.record.id), found)
        return selected[target.id]

    def pairs(self, record: DatasetRecord, target: DatasetRecord) -> Pairs:
        """Every (row, row of target it was made from), each once."""
        every = np.arange(record.rows, dtype=np.int64)
        return self.backward_each(record, every, every, target)

    def _other_ends(self, hop: Hop, asked: Pairs, *, backward: bool) -> Pairs:
        questions, rows = asked
        lengths, found = self._edges.lookup_each(hop.record, hop.number, rows, backward=backward)
        return np.repeat(questions, lengths), found

    def _find_hops(self, newest: DatasetId, oldest: DatasetId, via: tuple[str, ...]) -> tuple[Hop, ...]:
        record, target, chain = self._edges.record(newest), self._edges.record(oldest), self._chain(newest)
        if oldest == newest or target not in chain:
            raise self._not_related(record, target)
        reaching = {oldest}
        for each in reversed(chain):
            if reaching & set(self._edges.sources(each)):
                reaching.add(each.id)
        between = tuple(each for each in chain if each.id in reaching and each.id != oldest)
        if not via:
            return tuple(hop for each in between for hop in self._inputs(each) if hop.source.id in reaching)
        # Names may be given from either end, as `backward` and `forward` start at different ones.
        way = self._way(record, target, via) or self._way(record, target, via[::-1])
        if way is None:
            labels = ", ".join(each.label for each in between[1:]) or "nothing"
            raise NotRelated(
                f"No way from {record.label} to {target.label} goes through just {', '.join(via)}.",
                f"Between them lies {labels}.",
            )
        return tuple(hop for new, old in pairwise(way) for hop in self._inputs(new) if hop.source.id == old.id)

    def _way(self, record: DatasetRecord, target: DatasetRecord, via: tuple[str, ...]) -> Chain | None:
        """The one chain of datasets of these names, each made from the next."""
        inputs = {hop.source.id: hop.source for hop in self._inputs(record)}
        if not via:
            return (record, target) if target.id in inputs else None
        for each in inputs.values():
            rest = self._way(each, target, via[1:]) if _is_called(each, via[0]) else None
            if rest is not None:
                return (record, *rest)
        return None

    def _inputs(self, record: DatasetRecord) -> Iterator[Hop]:
        for number, source in enumerate(self._edges.sources(record)):
            yield Hop(record, number, self._edges.record(source))

    def _from_newest(self, dataset: DatasetId) -> Chain:
        """The dataset and its ancestors in an order in which nothing comes before what was made from it."""
        finished: dict[DatasetId, DatasetRecord] = {}
        waiting: list[tuple[DatasetId, bool]] = [(dataset, False)]
        while waiting:
            each, is_explored = waiting.pop()
            record = self._edges.record(each)
            if is_explored:
                finished.setdefault(each, record)
            elif each not in finished:
                waiting.append((each, True))
                waiting += [(source, False) for source in dict.fromkeys(self._edges.sources(record))]
        return tuple(reversed(finished.values()))

    def _not_related(self, record: DatasetRecord, target: DatasetRecord) -> NotRelated:
        names = ", ".join(each.label for each in self.ancestors(record))
        made_from = f"It was made from {names}." if names else "It was loaded or created, not made from a dataset."
        return NotRelated(f"{record.label} was not made from {target.label}.", made_from)


def _is_called(record: DatasetRecord, name: str) -> bool:
    return name.lower() in (record.name.lower(), record.label.lower())


def _merge_pairs(known: Pairs | None, more: Pairs) -> Pairs:
    if known is None:
        return unique_pairs(*more)
    return unique_pairs(np.concatenate([known[0], more[0]]), np.concatenate([known[1], more[1]]))
