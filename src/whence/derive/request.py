"""Stage 1, the request: which query a caller wants as a dataset, and what the dataset is called."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from whence.derive.earlier_version import EarlierVersion
from whence.derive.policy import CapturePolicy
from whence.engine.engine import Engine
from whence.engine.frames import Frame
from whence.engine.query import Query
from whence.lineage.strategy import Mode
from whence.model.caveat import Caveat
from whence.model.dataset import Origin
from whence.store.store import Store


@dataclass(frozen=True)
class DeriveContext:
    """What every stage works with: a workspace's files, its Spark and its policy for capturing lineage."""

    store: Store
    engine: Engine
    policy: CapturePolicy = field(default_factory=CapturePolicy)


@dataclass(frozen=True)
class Request:
    """One query that shall become a dataset."""

    query: Frame | Query | Callable[[], Query]
    """A frame, or a query that a caller has read, perhaps with steps of its own put over it.

    A function reads the query where it has to run: rows of an `earlier` version may spare that.
    """
    name: str
    origin: Origin
    text: str
    mode: Mode = "auto"
    """How the user wants the lineage of this query captured; "auto" leaves that to the policy."""
    must_inject: bool = False
    """Row ids must travel with the query, whatever it costs: neither the budget nor the cost rule is asked."""
    is_rerunnable: bool = False
    """The text alone is enough to run the same query another time."""
    is_reusable: bool = False
    """The result of the same query over the same versions may stand in for a run."""
    may_run_in_arrays: bool = False
    """The rows may be computed without Spark, whose sums differ in the last digits from run to run."""
    recipe: str = ""
    """All that decides the query where its text does not; an equal recipe makes the same query in any session."""
    documents: Mapping[str, object] = field(default_factory=dict)
    """What the caller stores beside the rows, by name."""
    caveats: tuple[Caveat, ...] = ()
    """What the caller states about the result."""
    earlier: EarlierVersion | None = None
    """What the query gave before its inputs lost rows."""
