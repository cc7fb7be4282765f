"""What the handles of one workspace share: its store, its Spark and its lineage."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

import numpy as np

from whence.arrays.answers import OperatorAnswers
from whence.arrays.planner import Planner
from whence.arrays.queries import Queries
from whence.caveats.influence import Influences
from whence.caveats.marks import Marks
from whence.caveats.news import News
from whence.caveats.own_caveats import OwnCaveats
from whence.caveats.reasons import Reasons
from whence.caveats.recomputed_marks import RecomputedMarks
from whence.derive.policy import CapturePolicy, CaptureSettings
from whence.derive.request import DeriveContext
from whence.engine.engine import Engine
from whence.lineage.block import Ids
from whence.lineage.capture_queue import CaptureQueue
from whence.lineage.cells import Cells
from whence.lineage.deferred_lineage import DeferredLineage
from whence.lineage.edges import Edges
from whence.lineage.preparation import LineagePreparation
from whence.lineage.rerun import Rerun
from whence.lineage.rowkeys import RowKeys
from whence.lineage.trace import Trace
from whence.model.dataset import DatasetRecord
from whence.model.errors import UnknownColumn, UnknownRow
from whence.notebook.sheet.ground import Ground
from whence.notebook.workers.pool import Pool
from whence.pipeline.replay import replay_query
from whence.store.store import Store
from whence.workspace.targets import Targets

RowIds = int | Iterable[int]
"""Rows as users give them: the id of one, or the ids of several."""


@dataclass(frozen=True)
class Context:
    """Made once when a workspace is opened, passed to every handle."""

    store: Store
    engine: Engine
    edges: Edges
    trace: Trace
    cells: Cells
    marks: Marks
    reasons: Reasons
    targets: Targets
    keys: RowKeys
    queue: CaptureQueue
    capture: CapturePolicy
    preparing: LineagePreparation
    rerun: Rerun
    operators: OperatorAnswers
    planner: Planner
    workers: Pool

    @property
    def derive(self) -> DeriveContext:
        """What every query of this workspace is derived with."""
        return DeriveContext(self.store, self.engine, self.capture)

    @property
    def ground(self) -> Ground:
        """What sheets stand on."""
        return Ground(self.store, self.keys, self.marks, self.edges, self.capture)

    @property
    def news(self) -> News:
        """What was not doubtful before."""
        return News(self.store, self.marks, self.reasons)

    @classmethod
    def of(
        cls,
        store: Store,
        engine: Engine,
        workers: Pool | None = None,
        settings: CaptureSettings | None = None,
    ) -> Context:
        """Everything that reads lineage, over one store; warm workers and the user's settings are handed on."""
        engine.replay = partial(replay_query, store, engine)
        deferred = DeferredLineage(store, engine)
        operators = OperatorAnswers(store)
        edges = Edges(store, deferred, operators)
        trace = Trace(store, edges)
        influences = Influences(store, edges)
        own = OwnCaveats(store, influences)
        keys = RowKeys(store, edges)
        marks = Marks(store, edges, trace, keys, influences, own, RecomputedMarks(store, engine, edges))
        reasons = Reasons(store, edges, trace, influences, own, marks)
        cells, targets = Cells(store, edges), Targets(store, trace)
        queue = CaptureQueue(store, deferred, lambda: engine.is_busy)
        rerun, workers = Rerun(engine, edges), workers or _workers(store, engine)
        readers = (edges, trace, cells, marks, reasons, targets, keys)
        preparing = LineagePreparation(store, engine, trace)
        planner = Planner(store, trace, operators, Queries(store, edges, deferred, preparing))
        capture = CapturePolicy(budget=planner, queue=queue)
        capture.change(settings or CaptureSettings())
        return cls(store, engine, *readers, queue, capture, preparing, rerun, operators, planner, workers)


def _workers(store: Store, engine: Engine) -> Pool:
    """Processes for Python cells; on a server they may connect to Spark."""
    pool = Pool(store.layout.temporary)
    if engine.connect is not None:
        pool.allow(engine.connect.port, "whence.engine.worker.connect")
    return pool


def checked_row(record: DatasetRecord, row: int) -> int:
    """The row, if the dataset has it."""
    if not 0 <= row < record.rows:
        last = f"Its rows are 0 to {record.rows - 1}." if record.rows else "It has no rows."
        raise UnknownRow(f"{record.label} has no row {row}.", last)
    return int(row)


def checked_rows(record: DatasetRecord, rows: RowIds) -> Ids:
    """The rows as an array, if the dataset has them all."""
    ids = row_ids(rows)
    if len(ids):
        for edge in (ids.min(), ids.max()):
            checked_row(record, int(edge))
    return ids


def row_ids(rows: RowIds) -> Ids:
    """Row ids as an array; a single one need not be put in a list."""
    if isinstance(rows, np.ndarray):
        return rows.astype(np.int64)
    return np.array([rows] if isinstance(rows, int | np.integer) else list(rows), dtype=np.int64)


def checked_column(record: DatasetRecord, column: str) -> str:
    """The column, if the dataset has it."""
    if record.schema.position(column) is None:
        raise UnknownColumn(f"{record.label} has no column {column}.", f"It has {', '.join(record.schema.names)}.")
    return column
