"""Services a sheet needs to trace cells: store, row keys, doubt flags, lineage."""

from __future__ import annotations

from dataclasses import dataclass, field

from whence.caveats.doubt_flags import DoubtFlags
from whence.derive.policy import CapturePolicy
from whence.lineage.edges import Edges
from whence.lineage.rowkeys import RowKeys
from whence.store.store import Store


@dataclass(frozen=True)
class SheetServices:
    """The services of a workspace that sheets use. Only deferred lineage of the data makes a sheet ask Spark."""

    store: Store
    keys: RowKeys
    flags: DoubtFlags
    edges: Edges
    capture: CapturePolicy = field(default_factory=CapturePolicy)
