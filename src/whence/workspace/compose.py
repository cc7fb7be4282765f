"""Builds the services of a workspace in the order in which they depend on each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from whence.arrays.answers import OperatorAnswers
from whence.arrays.planner import Planner
from whence.arrays.queries import Queries
from whence.caveats.cell_ranges import CellRanges
from whence.caveats.current_flags import CurrentFlags
from whence.caveats.doubt_flags import DoubtFlags
from whence.caveats.influence import Influences
from whence.caveats.own_caveats import OwnCaveats
from whence.caveats.query_rerun import QueryRerun
from whence.caveats.reasons import Reasons
from whence.caveats.recomputed_flags import RecomputedFlags
from whence.derive.policy import CapturePolicy
from whence.engine.engine import Engine
from whence.engine.scan import StoredFlags
from whence.lineage.capture_queue import CaptureQueue
from whence.lineage.cells import Cells
from whence.lineage.deferred_lineage import DeferredLineage
from whence.lineage.edges import Edges
from whence.lineage.grounds import GroundsReader
from whence.lineage.preparation import LineagePreparation
from whence.lineage.rerun import Rerun
from whence.lineage.rowkeys import RowKeys
from whence.lineage.trace import Trace
from whence.model.lazy_module import LazyModule
from whence.notebook.workers.pool import KEPT, Pool
from whence.store.store import Store
from whence.workspace.context import Background, Context, Readers, Writers
from whence.workspace.targets import Targets
from whence.workspace.warm_setting import is_warm_up_on

if TYPE_CHECKING:
    import whence.pipeline.replay as pipeline_replay
else:
    # Pipelines take long to load, and few workspaces ask for a query that one of them made in an earlier session.
    pipeline_replay = LazyModule("whence.pipeline.replay")


def compose(store: Store, make_engine: Callable[[StoredFlags], Engine]) -> Context:
    """Build every service of a workspace. `make_engine` takes the doubt flags that queries read."""
    # A cycle: flags read lineage through the engine, and the engine reads flags. The lambda breaks it, as the engine
    # looks up `readers` only when a query runs.
    engine = make_engine(CurrentFlags(store, lambda: readers.flags, lambda: readers.bounds))
    engine.replay = lambda record: pipeline_replay.replay_query(store, engine, record)
    deferred = DeferredLineage(store, engine)
    readers = _build_readers(store, engine, deferred)
    preparing = LineagePreparation(store, engine, readers.trace)
    background = _build_background(store, engine, deferred, readers=readers, preparing=preparing)
    capture = CapturePolicy(budget=background.planner, queue=background.queue)
    writers = Writers(capture=capture, preparing=preparing)
    return Context(store=store, engine=engine, readers=readers, writers=writers, background=background)


def _build_readers(store: Store, engine: Engine, deferred: DeferredLineage) -> Readers:
    operators = OperatorAnswers(store)
    edges = Edges(store, deferred, operators)
    trace, keys = Trace(store, edges), RowKeys(store, edges)
    influences = Influences(store, edges)
    own = OwnCaveats(store, influences)
    rerun = QueryRerun(store, engine, edges)
    recomputed = RecomputedFlags(engine, rerun)
    flags = DoubtFlags(
        store=store, edges=edges, trace=trace, keys=keys, influences=influences, own=own, recomputed=recomputed
    )
    return Readers(
        edges=edges,
        trace=trace,
        cells=Cells(store, edges),
        grounds=GroundsReader(store, edges),
        keys=keys,
        flags=flags,
        bounds=CellRanges(store, engine, trace, flags=flags, rerun=rerun),
        reasons=Reasons(store=store, edges=edges, trace=trace, influences=influences, own=own, flags=flags),
        targets=Targets(store, trace),
        rerun=Rerun(engine, edges),
        operators=operators,
    )


def _build_background(
    store: Store, engine: Engine, deferred: DeferredLineage, *, readers: Readers, preparing: LineagePreparation
) -> Background:
    queries = Queries(store, readers.edges, deferred, preparing)
    return Background(
        queue=CaptureQueue(store, deferred, lambda: engine.is_busy),
        planner=Planner(store, readers.trace, readers.operators, queries),
        workers=_build_workers(store, engine),
    )


def _build_workers(store: Store, engine: Engine) -> Pool:
    """Return the pool of processes for Python cells. On a server they may connect to Spark."""
    pool = Pool(store.layout.temporary, kept=KEPT if is_warm_up_on() else 0)
    if engine.connect is not None:
        pool.allow(engine.connect.cell_port, "whence.engine.worker.connect")
    return pool
