"""Makes a dataset of any frame: what its plan reads becomes sources first, and the plan then reads these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from whence.derive.derive import derive
from whence.derive.request import Request
from whence.engine.foreign_leaf import ForeignLeaf
from whence.engine.frames import Frame, PandasOnSpark, frame_of
from whence.engine.plan_leaves import FramePlan, positions_in
from whence.loading.header import clean_names
from whence.model.dataset import DatasetRecord
from whence.model.errors import WhenceError
from whence.model.ids import DatasetId
from whence.store.store import Store
from whence.workspace.adopt_leaf import adopt_leaf
from whence.workspace.adopted_names import DOCUMENT, Claim, claim_name, variable_claim
from whence.workspace.coarse_step import coarse_step
from whence.workspace.context import Context
from whence.workspace.passed_rows import MOST_ROWS, PassedRows, keep_passed_rows

_REASONS = {"Sample": "a sample", "GlobalLimit": "a limit without an order", "Offset": "an offset without an order"}
_MOST_BYTES = 16 << 20
"""An operator over more input is evaluated once, as it is: comparing its rows takes another evaluation."""
_OTHER_REASON = "an expression that depends on how Spark splits the rows, such as a random number,"


@dataclass(frozen=True)
class PinnedFrame:
    """A frame with the datasets that hold the rows of all that its plan reads."""

    frame: Frame
    plan: FramePlan
    records: tuple[DatasetRecord, ...]
    claim: Claim
    cached: ForeignLeaf | None = None
    """What the program caches, if that is the frame itself."""

    @property
    def is_source(self) -> bool:
        """Whether the frame is what one leaf reads, so that its dataset is there already."""
        return len(self.plan.leaves) == 1 and self.plan.leaves[0].node == self.plan.node


@dataclass(frozen=True)
class AdoptedFrame:
    """The dataset of a frame, and why its lineage is not exact on all steps down to the sources."""

    record: DatasetRecord
    coarse_because: str = ""


def adopt_frame(context: Context, df: Frame | PandasOnSpark, claim: Claim) -> AdoptedFrame:
    """Run the frame over datasets of all that it reads, and publish its rows under the name of the claim."""
    return keep_frame(context, pin_frame(context, df, claim))


def pin_frame(
    context: Context,
    df: Frame | PandasOnSpark,
    claim: Claim,
    held: Mapping[str, Frame] | None = None,
    *,
    reuses_cached: bool = True,
) -> PinnedFrame:
    """Make datasets of all that a frame reads, before anything overwrites it.

    What the program caches becomes a dataset, too, which later frames read again. `held` are the frames that the
    program holds, by variable: they name such datasets.
    """
    frame = frame_of(df)
    context.engine.follow_settings(frame.sparkSession)
    plan = context.engine.plan_of(frame, reuses_cached=reuses_cached)
    if not any(leaf.is_cached for leaf in plan.leaves):
        return PinnedFrame(frame, plan, tuple(adopt_leaves(context, plan, claim)), claim)
    try:
        return _pin_over_cached(context, frame, plan, claim, held or {})
    except WhenceError:  # it is too large, say, though the frame over it is small
        return pin_frame(context, frame, claim, reuses_cached=False)


def _pin_over_cached(
    context: Context, frame: Frame, plan: FramePlan, claim: Claim, held: Mapping[str, Frame]
) -> PinnedFrame:
    cached = None
    if plan.leaves[0].node == plan.node and _find_adopted(context, plan.leaves[0]) is None:
        (cached,) = plan.leaves
        plan = context.engine.plan_below(cached)
    return PinnedFrame(frame, plan, tuple(adopt_leaves(context, plan, claim, held)), claim, cached)


def keep_frame(context: Context, pinned: PinnedFrame) -> AdoptedFrame:
    """Run a pinned frame, and publish its rows."""
    plan, claim = pinned.plan, pinned.claim
    over = context.engine.over_datasets(plan, pinned.records) if plan.leaves else pinned.frame
    query = context.engine.read(over)
    name, documents = claim_name(context.store, claim), {DOCUMENT: claim.as_document()}
    record = derive(context.derive, Request(query, name, "dataset", "", is_reusable=True, documents=documents))
    if pinned.cached is not None:
        context.engine.remember_leaf(pinned.cached, record.id)
    return AdoptedFrame(record, query.read.reason or coarse_step(context.store, pinned.records))


def _rows_below(
    context: Context, leaf: ForeignLeaf, claim: Claim, sources: Sequence[DatasetRecord]
) -> PassedRows | None:
    """Return the rows that an operator passes on as a dataset. None if it does more, if they are many or in doubt."""
    passed = context.engine.passed_on(leaf)
    size = sum(sum(part.size for part in context.store.manifest(each).parts) for each in sources)
    is_certain = all(context.engine.flags.doubt(each).is_certain for each in sources)
    if passed is None or size > _MOST_BYTES or not is_certain or all(place < 0 for place in passed[1]):
        return None
    frame, places = passed
    try:
        pinned = pin_frame(context, frame, Claim(f"{claim.name}_rows", "step", leaf.place))
        record = pinned.records[0] if pinned.is_source else keep_frame(context, pinned).record
    except WhenceError:  # it is too large, say, though the operator takes few of its rows
        return None
    positions = positions_in(context.engine.schema_of(frame), record.schema)
    if record.rows > MOST_ROWS or positions is None:
        return None
    names = clean_names(list(leaf.schema.names))
    columns = {
        name: record.schema.names[positions[place]] for name, place in zip(names, places, strict=True) if place >= 0
    }
    return PassedRows(record, columns)


def reason_of(leaf: ForeignLeaf) -> str:
    """Return what makes an operator unrepeatable, in words."""
    return _REASONS.get(leaf.operator, _OTHER_REASON)


def adopt_leaves(
    context: Context, plan: FramePlan, claim: Claim, held: Mapping[str, Frame] | None = None
) -> list[DatasetRecord]:
    """Return a dataset for each leaf of a plan: one that is there already, or a new one."""
    return [_find_adopted(context, leaf) or _adopt(context, leaf, claim, held or {}) for leaf in plan.leaves]


def _find_adopted(context: Context, leaf: ForeignLeaf) -> DatasetRecord | None:
    found = context.engine.recall_leaf(leaf)
    return None if found is None or not _is_there(context.store, found) else context.store.by_id(found)


def _is_there(store: Store, dataset: DatasetId) -> bool:
    return store.layout.dataset(dataset).exists()  # it may have been forgotten since


def _adopt(context: Context, leaf: ForeignLeaf, claim: Claim, held: Mapping[str, Frame]) -> DatasetRecord:
    if leaf.is_cached:
        return _compute_once(context, leaf, claim, held)
    record = adopt_leaf(context, leaf) if leaf.is_leaf else _evaluate(context, leaf, claim)
    context.engine.remember_leaf(leaf, record.id)
    return record


def _compute_once(context: Context, leaf: ForeignLeaf, claim: Claim, held: Mapping[str, Frame]) -> DatasetRecord:
    """Keep the rows of a frame that the program caches, so that no other output computes them again."""
    variable = next((name for name, frame in held.items() if context.engine.computes(frame, leaf)), None)
    named = Claim(f"{claim.name}_cached", "step", leaf.place) if variable is None else variable_claim(variable)
    plan = context.engine.plan_below(leaf)
    records = tuple(adopt_leaves(context, plan, claim, held))
    return keep_frame(context, PinnedFrame(context.engine.leaf_frame(leaf), plan, records, named, leaf)).record


def _evaluate(context: Context, leaf: ForeignLeaf, claim: Claim) -> DatasetRecord:
    """Keep the rows of an operator that another evaluation could answer differently.

    Its lineage is exact if the operator passes on rows that their values tell apart, else coarse.
    """
    sources = adopt_leaves(context, context.engine.plan_below(leaf), claim)
    below = _rows_below(context, leaf, claim, sources)
    if below is not None:
        passed = Claim(f"{claim.name}_input", "step", leaf.place)
        return keep_passed_rows(context, leaf, below, passed, reason_of(leaf))
    parents = tuple(dict.fromkeys(each.id for each in sources))
    query = context.engine.as_it_is(context.engine.leaf_frame(leaf), parents, reason_of(leaf))
    step = Claim(f"{claim.name}_input", "step", leaf.place)
    documents: Mapping[str, object] = {DOCUMENT: step.as_document()}
    return derive(context.derive, Request(query, claim_name(context.store, step), "dataset", "", documents=documents))
