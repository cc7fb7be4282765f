"""What a sheet stands on: the store, the keys of rows and the marks on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from whence.caveats.influence import Influences
from whence.caveats.marks import Marks
from whence.caveats.own import OwnCaveats
from whence.engine.engine import Engine
from whence.lineage.edges import Edges
from whence.lineage.late import LateBlocks
from whence.lineage.rowkeys import RowKeys
from whence.lineage.trace import Trace
from whence.store.store import Store


@dataclass(frozen=True)
class Ground:
    """Spark is asked only for lineage of the data that was left for later."""

    store: Store
    keys: RowKeys
    marks: Marks

    @classmethod
    def of(cls, store: Store, engine: Engine) -> Self:
        """Over one store, for who has no handles on it yet."""
        edges = Edges(store, LateBlocks(store, engine))
        influences, keys = Influences(store, edges), RowKeys(store, edges)
        own = OwnCaveats(store, influences)
        return cls(store, keys, Marks(store, edges, Trace(store, edges), keys, influences, own))
