"""What is known about a dataset in the making: one frozen value, to which each stage adds what it found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from whence.caveats.sites import CaveatSites
from whence.caveats.stored_ranges import StoredRanges
from whence.derive.capture import Capture
from whence.derive.request import Request
from whence.engine.frames import Frame
from whence.engine.outcome import Outcome
from whence.engine.query import Query
from whence.engine.window_tables import WindowTables
from whence.engine.worker.write_parts import OutputLayout
from whence.lineage.block import Block
from whence.lineage.strategy import Choice
from whence.model.dataset import Origin
from whence.model.errors import InternalError
from whence.model.ids import DatasetId
from whence.model.schema import Schema
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.expr import Column
from whence.plan.rowkey import RowKey
from whence.plan.step import CarriedIds, Step
from whence.plan.steps.window_rows import WindowRows
from whence.store.runs import Run
from whence.store.store import Store


@dataclass(frozen=True)
class ChosenCapture:
    """The plan with the caveats it raises, and how its lineage is captured."""

    sites: CaveatSites
    choice: Choice


@dataclass(frozen=True)
class RewrittenPlan:
    """The plan that Spark runs: the query's columns, doubt flags, ids and messages, and which column is which."""

    sites: CaveatSites
    choice: Choice
    plan: Step
    layout: OutputLayout
    carried_ids: tuple[CarriedIds, ...]
    is_loose: bool
    carries_flags: bool
    """Whether doubt flags travel along; they make the plan evaluate expressions on rows that the query drops."""
    columns: ColumnMap
    key: RowKey | None
    hidden: tuple[Column, ...]
    """Columns that the row key reads and the query does not show."""
    deferred_columns: tuple[Column, ...] | None
    """The key columns of the group-by whose ids are found later; None where ids travel with the query."""
    windows: tuple[WindowRows, ...]
    context: RewriteContext
    ranges: StoredRanges | None = None
    """Which columns have ranges; None where no ranges are to be stored."""
    computes_bounds: bool = False
    """Whether ends of ranges are computed along; they may overflow where the query itself does not."""


@dataclass(frozen=True)
class WrittenPlan:
    """The plan as a frame of Spark, and the cache in which Spark keeps the rows of its windows."""

    frame: Frame
    window_tables: WindowTables
    most_rows: int | None
    """No more rows than this come out; None if what they hold may be large."""
    is_small: bool
    """No step gives more rows than Spark handles faster without compiled code."""


@dataclass(frozen=True)
class Execution:
    """What Spark gave: the files it wrote, the ids that rows carried, and the rows of windows."""

    outcome: Outcome
    window_tables: WindowTables | None
    """None where Spark ran no plan."""
    groups: Block | None = None
    """The rows of each group, where they follow from those of an earlier version."""


@dataclass(frozen=True)
class Derivation:
    """A request, the run that was begun for it, the query as Spark understood it, and what later stages made of it."""

    request: Request
    run: Run
    query: Query
    schema: Schema
    capture: Capture
    input_flags: Mapping[DatasetId, str]
    """The state of the flags of each input whose flags are not as they were stored."""
    fingerprint: str = ""
    """A hash that equal queries share; empty if another run might give something else."""
    chosen: ChosenCapture | None = None
    rewritten: RewrittenPlan | None = None
    written: WrittenPlan | None = None
    execution: Execution | None = None


Result = TypeVar("Result")


def stage_result(result: Result | None) -> Result:
    """Return what an earlier stage has added to a derivation; raise an internal error if it has not run."""
    if result is None:
        raise InternalError("A stage of the main path was left out.")
    return result


@contextmanager
def begin_run(store: Store, origin: Origin, name: str) -> Iterator[Run]:
    """A run of the store; one that fails is abandoned with the reason."""
    run = store.begin(origin, name)
    try:
        yield run
    except BaseException as error:
        store.abandon(run, str(error) or type(error).__name__)
        raise
