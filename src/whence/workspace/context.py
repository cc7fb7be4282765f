"""The context that all handles of one workspace share: its store, its Spark engine, and the services over both."""

from __future__ import annotations

from dataclasses import dataclass

from whence.arrays.answers import OperatorAnswers
from whence.arrays.planner import Planner
from whence.caveats.cell_ranges import CellRanges
from whence.caveats.doubt_flags import DoubtFlags
from whence.caveats.news import News
from whence.caveats.reasons import Reasons
from whence.derive.policy import CapturePolicy
from whence.derive.request import DeriveContext
from whence.engine.engine import Engine
from whence.lineage.capture_queue import CaptureQueue
from whence.lineage.cells import Cells
from whence.lineage.edges import Edges
from whence.lineage.grounds import GroundsReader
from whence.lineage.preparation import LineagePreparation
from whence.lineage.rerun import Rerun
from whence.lineage.rowkeys import RowKeys
from whence.lineage.trace import Trace
from whence.lineage.written_origin import WrittenOrigins
from whence.notebook.sheet.services import SheetServices
from whence.notebook.workers.pool import Pool
from whence.store.store import Store
from whence.workspace.cell_trace import CellTraces
from whence.workspace.query_place import query_place
from whence.workspace.targets import Targets


@dataclass(frozen=True, kw_only=True)
class Readers:
    """Services that answer questions about stored datasets.

    Some have caches. The first question after `ws.forget` empties them.
    """

    edges: Edges
    trace: Trace
    cells: Cells
    grounds: GroundsReader
    keys: RowKeys
    flags: DoubtFlags
    bounds: CellRanges
    reasons: Reasons
    targets: Targets
    rerun: Rerun
    operators: OperatorAnswers


@dataclass(frozen=True, kw_only=True)
class Writers:
    """Services that decide which lineage to store, and that store lineage prepared for later questions."""

    capture: CapturePolicy
    preparing: LineagePreparation


@dataclass(frozen=True, kw_only=True)
class Background:
    """Services with threads or processes of their own: deferred lineage, the lineage budget, Python cells."""

    queue: CaptureQueue
    planner: Planner
    workers: Pool

    def close(self) -> None:
        """Stop the processes and threads."""
        self.workers.close()
        self.planner.close()
        self.queue.close()


@dataclass(frozen=True, kw_only=True)
class Context:
    """All services of one open workspace. `compose.py` builds it once, and every handle holds the same one."""

    store: Store
    engine: Engine
    readers: Readers
    writers: Writers
    background: Background

    @property
    def derive(self) -> DeriveContext:
        """The services that every query of this workspace is derived with."""
        return DeriveContext(self.store, self.engine, self.writers.capture)

    @property
    def services(self) -> SheetServices:
        """The services that a sheet needs: store, row keys, doubt flags, lineage and the capture policy."""
        readers = self.readers
        return SheetServices(self.store, readers.keys, readers.flags, readers.edges, self.writers.capture)

    @property
    def origins(self) -> WrittenOrigins:
        """The service that says where values were written that stand on no data."""
        return WrittenOrigins(self.readers.grounds, lambda record: query_place(self.store, record))

    @property
    def cell_traces(self) -> CellTraces:
        """The service that finds the cells and rows behind one cell in every ancestor of its dataset."""
        return CellTraces(self.readers.trace, self.readers.cells, self.background.planner)

    @property
    def news(self) -> News:
        """The service that finds caveats which earlier versions did not have."""
        return News(self.store, self.readers.flags, self.readers.reasons)
