"""Doubt flags and ranges as they would be if some more caveats were acknowledged; nothing is written down."""

from __future__ import annotations

import copy
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from whence.caveats.cell_ranges import CellRanges
from whence.caveats.current_flags import CurrentFlags
from whence.caveats.doubt_flags import DoubtFlags
from whence.caveats.identity import Identity
from whence.caveats.influence import Influences
from whence.caveats.own_caveats import OwnCaveats
from whence.caveats.query_rerun import QueryRerun
from whence.caveats.recomputed_flags import RecomputedFlags
from whence.engine.engine import Engine
from whence.lineage.block import Ids
from whence.lineage.edges import Edges
from whence.lineage.rowkeys import RowKeys
from whence.lineage.trace import Trace
from whence.model.ids import DatasetId
from whence.store.acknowledged import Acknowledged, Acknowledgement, CaveatKeys
from whence.store.derived import Derived, remove
from whence.store.store import Store

Accepted = Mapping[DatasetId, Ids]
"""By the dataset version that raised them, the numbers of caveats."""


@dataclass(frozen=True)
class DoubtReaders:
    """Doubt flags and ranges that belong together, and the store in which their caveats are acknowledged."""

    store: Store
    flags: DoubtFlags
    bounds: CellRanges


@dataclass(frozen=True)
class Supposing:
    """Makes readers of doubt for suppositions."""

    store: Store
    engine: Engine
    edges: Edges
    trace: Trace
    keys: RowKeys

    @contextmanager
    def accepted(self, accepted: Accepted) -> Iterator[DoubtReaders]:
        """Yield readers to which these caveats are acknowledged, beside those that are. Their files go at the end."""
        scratch = self.store.derived.folder("ranges") / f"supposed-{secrets.token_hex(8)}"
        store = copy.copy(self.store)
        store.acknowledged = _Supposed(self.store.acknowledged, self._keys_by_name(accepted))
        store.derived = Derived(scratch, scratch)
        try:
            yield self._readers(store)
        finally:
            remove(scratch)

    def _keys_by_name(self, accepted: Accepted) -> dict[str, list[CaveatKeys]]:
        identity, found = Identity(self.store, self.keys), dict[str, list[CaveatKeys]]()
        for dataset, places in accepted.items():
            record = self.store.by_id(dataset)
            found.setdefault(record.name.lower(), []).append(np.unique(identity.keys(record)[places]))
        return found

    def _readers(self, store: Store) -> DoubtReaders:
        influences = Influences(store, self.edges)
        own = OwnCaveats(store, influences)
        rerun = QueryRerun(store, self.engine, self.edges, CurrentFlags(store, lambda: flags))
        flags = DoubtFlags(
            store=store,
            edges=self.edges,
            trace=self.trace,
            keys=self.keys,
            influences=influences,
            own=own,
            recomputed=RecomputedFlags(self.engine, rerun),
        )
        return DoubtReaders(store, flags, CellRanges(store, self.engine, self.trace, flags=flags, rerun=rerun))


class _Supposed(Acknowledged):
    """The acknowledgements that stand, and those that are supposed."""

    def __init__(self, stand: Acknowledged, more: Mapping[str, list[CaveatKeys]]) -> None:
        self.epoch = stand.epoch
        self._stand = stand
        self._more = more

    @property
    def is_empty(self) -> bool:
        return self._stand.is_empty and not self._more

    def of(self, name: str) -> list[Acknowledgement]:
        supposed = [Acknowledgement("supposed", "", "", keys) for keys in self._more.get(name.lower(), [])]
        return [*self._stand.of(name), *supposed]

    def fingerprint(self, names: set[str] | None) -> str:
        raise NotImplementedError("nothing that outlives a supposition may depend on it")

    def reread(self) -> None:
        """Leave the real acknowledgements alone."""
