"""What a sheet stands on: the store, the keys of rows and the marks on them."""

from __future__ import annotations

from dataclasses import dataclass

from whence.caveats.marks import Marks
from whence.lineage.rowkeys import RowKeys
from whence.store.store import Store


@dataclass(frozen=True)
class Ground:
    """Spark is asked only for lineage of the data that was left for later."""

    store: Store
    keys: RowKeys
    marks: Marks
