"""What cells that look behind values stand on: the store, keys of rows, marks on them, and lineage."""

from __future__ import annotations

from dataclasses import dataclass, field

from whence.caveats.marks import Marks
from whence.derive.policy import CapturePolicy
from whence.lineage.edges import Edges
from whence.lineage.rowkeys import RowKeys
from whence.store.store import Store


@dataclass(frozen=True)
class Ground:
    """Spark is asked only for lineage of the data that was left for later."""

    store: Store
    keys: RowKeys
    marks: Marks
    edges: Edges
    capture: CapturePolicy = field(default_factory=CapturePolicy)
