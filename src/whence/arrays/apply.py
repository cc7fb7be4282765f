"""Runs an operator on whole datasets and publishes its output as a dataset, with lineage and doubt flags."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from whence.arrays.answers import OperatorAnswers
from whence.arrays.apply_context import ApplyContext
from whence.arrays.declared_lineage import DeclaredLineage, limit_declared
from whence.arrays.document import OperatorDocument
from whence.arrays.draft import declared_document, draft_of
from whence.arrays.encodings import Arrays, lookup_of
from whence.arrays.inherited import FlaggedParts, inherited
from whence.arrays.lookups import Edge, MappedLookup
from whence.arrays.operator import Operator
from whence.arrays.operator_description import describe
from whence.arrays.output import write_output
from whence.arrays.run_capture import RunCapture, capture_run
from whence.arrays.strategy import BLACK_BOX, COARSE, Strategy, tracing_mode
from whence.arrays.strategy import strategy as named
from whence.arrays.tracing import OperatorRun, pack, read_input, run_operator, smaller_encoding
from whence.derive.policy import CaptureSettings
from whence.lineage.lookup import Lookup
from whence.model.dataset import DatasetRecord
from whence.store.draft import Draft
from whence.store.runs import Run


@dataclass(frozen=True)
class Sources:
    """The datasets an operator reads, and their doubt flags."""

    records: tuple[DatasetRecord, ...]
    flags: tuple[FlaggedParts, ...]


@dataclass(frozen=True)
class PackedLineage:
    """The lineage of a run as arrays ready to be stored, and the seconds that packing took."""

    strategy: Strategy
    arrays: Arrays
    seconds: float


def apply(
    context: ApplyContext,
    answers: OperatorAnswers,
    operator: Operator,
    inputs: Sequence[DatasetRecord],
    name: str,
    strategy: str | None = None,
) -> DatasetRecord:
    """Run the operator once and publish its output; without a `strategy` the policy chooses how lineage is kept."""
    store, capture = context.store, capture_run(context.policy, operator, name, strategy)
    known = [context.flags.current_flags(each) for each in inputs]
    wants = capture.strategy.wants
    if capture.strategy == BLACK_BOX and any(each.masks or each.row_set for each in known):
        wants = tracing_mode(operator).wants  # doubts follow lineage, so it is needed now
    run = store.begin("operator", name)
    try:
        ran = run_operator(operator, [read_input(store, each) for each in inputs], wants)
        sources = Sources(tuple(inputs), tuple(known))
        record = store.publish(
            run, _draft(context.policy.settings, operator, sources, run=run, ran=ran, capture=capture)
        )
    except BaseException as error:
        # Also when the user interrupts the run: `abandon` removes its staging folder.
        store.abandon(run, str(error) or type(error).__name__)
        raise
    answers.remember(record, operator)
    context.policy.follow_up(record, is_deferred=False)
    return record


def _pack_lineage(ran: OperatorRun, capture: RunCapture) -> PackedLineage:
    started, chosen = time.perf_counter(), capture.strategy
    if not chosen.is_stored:
        return PackedLineage(chosen, {}, 0.0)
    # A strategy that the user named keeps its encoding, even if another one is smaller.
    if not capture.is_named:
        chosen = named(f"{chosen.representation} {smaller_encoding(ran, chosen)}")
    return PackedLineage(chosen, pack(ran, chosen), time.perf_counter() - started)


def _draft(
    settings: CaptureSettings, operator: Operator, sources: Sources, run: Run, ran: OperatorRun, capture: RunCapture
) -> Draft:
    kept = _pack_lineage(ran, capture)
    size = sum(array.nbytes for array in kept.arrays.values())
    document = OperatorDocument(
        operator=describe(operator),
        shapes=ran.shapes,
        strategy=kept.strategy,
        seconds=ran.seconds,
        capture_seconds=kept.seconds,
        bytes=size,
    )
    forward = None if kept.strategy == COARSE else _forward(operator, ran, kept)
    found = inherited(operator.name, sources.records, sources.flags, ran.shapes.cells, forward)
    output = write_output(run.staging, ran.output, found)
    about = declared_document(operator, sources.records, output, kept.strategy)
    declared = DeclaredLineage(document, about, kept.arrays)
    lineage = limit_declared(settings, sources.records, declared, capture.reason)
    return draft_of(operator, sources.records, lineage, output, found)


def _forward(operator: Operator, ran: OperatorRun, kept: PackedLineage) -> Callable[[int], Lookup]:
    """Return a function that gives the forward lookup of an input, by which doubt flags follow the unstored lineage.

    A black box stores no lineage; `apply` has recorded it all the same where an input has flags.
    """

    def lookup(number: int) -> Lookup:
        edge, strategy, arrays = Edge(operator, ran.shapes, number), kept.strategy, kept.arrays
        if strategy == BLACK_BOX:
            strategy = tracing_mode(operator)
            arrays = pack(ran, strategy)
        if strategy.representation in (None, "map"):
            return MappedLookup(edge, False)
        return lookup_of(edge, strategy.representation, arrays, backward=False)

    return lookup
