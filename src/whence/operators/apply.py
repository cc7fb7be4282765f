"""Runs an operator on datasets and keeps what it gives, with its lineage and its marks."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from whence.lineage.lookup import Lookup
from whence.model.dataset import DatasetRecord
from whence.model.errors import BadInput
from whence.operators.answers import OperatorAnswers
from whence.operators.document import OperatorDocument
from whence.operators.draft import draft_of
from whence.operators.encodings import Arrays, lookup_of
from whence.operators.inherited import Marked, MarksNow, inherited
from whence.operators.known import describe
from whence.operators.lookups import Edge, Mapped
from whence.operators.operator import Operator
from whence.operators.output import write_output
from whence.operators.strategy import BLACK_BOX, COARSE, Strategy, possible, tracing_mode, usual
from whence.operators.strategy import strategy as named
from whence.operators.tracing import Ran, pack, read_input, run_operator, smaller_encoding
from whence.store.draft import Draft
from whence.store.runs import Run
from whence.store.store import Store


@dataclass(frozen=True)
class Sources:
    """The datasets an operator reads, and their marks."""

    records: tuple[DatasetRecord, ...]
    marks: tuple[Marked, ...]


@dataclass(frozen=True)
class Kept:
    """The lineage of a run as it will be stored."""

    strategy: Strategy
    arrays: Arrays
    seconds: float


def apply(
    store: Store,
    answers: OperatorAnswers,
    marks: MarksNow,
    operator: Operator,
    inputs: Sequence[DatasetRecord],
    name: str,
    strategy: str | None = None,
) -> DatasetRecord:
    """Run the operator once; `strategy` says how its lineage is kept, which by default follows from what it gives."""
    chosen = _chosen(operator, strategy)
    known = [marks.now(each) for each in inputs]
    wants = chosen.wants
    if chosen == BLACK_BOX and any(each.masks or each.row_set for each in known):
        wants = tracing_mode(operator).wants  # doubts follow lineage, so it is needed now
    run = store.begin("operator", name)
    try:
        ran = run_operator(operator, [read_input(store, each) for each in inputs], wants)
        kept = _kept(ran, chosen, is_free=strategy is None)
        record = store.publish(run, _draft(operator, Sources(tuple(inputs), tuple(known)), run, ran, kept))
    except BaseException as error:
        store.abandon(run, str(error) or type(error).__name__)
        raise
    answers.remember(record, operator)
    return record


def _chosen(operator: Operator, asked: str | None) -> Strategy:
    if asked is None:
        return usual(operator)
    chosen = named(asked)
    if chosen != COARSE and chosen not in possible(operator):
        kinds = ", ".join(each.kind for each in possible(operator))
        raise BadInput(f"The lineage of {operator.name} cannot be kept as {asked}.", f"It can be kept as {kinds}.")
    return chosen


def _kept(ran: Ran, chosen: Strategy, *, is_free: bool) -> Kept:
    started = time.perf_counter()
    if not chosen.is_stored:
        return Kept(chosen, {}, 0.0)
    if is_free:
        chosen = named(f"{chosen.representation} {smaller_encoding(ran, chosen)}")
    return Kept(chosen, pack(ran, chosen), time.perf_counter() - started)


def _draft(operator: Operator, sources: Sources, run: Run, ran: Ran, kept: Kept) -> Draft:
    size = sum(array.nbytes for array in kept.arrays.values())
    document = OperatorDocument(describe(operator), ran.shapes, kept.strategy, ran.seconds, kept.seconds, size)
    forward = None if kept.strategy == COARSE else _forward(operator, ran, kept)
    found = inherited(operator.name, sources.records, sources.marks, ran.shapes.cells, forward)
    output = write_output(run.staging, ran.output, found)
    return draft_of(operator, sources.records, document, output, found, kept.arrays)


def _forward(operator: Operator, ran: Ran, kept: Kept) -> Callable[[int], Lookup]:
    """The lookups of a run that is not stored yet; what a black box told was taken down where marks need it."""

    def lookup(number: int) -> Lookup:
        edge, strategy, arrays = Edge(operator, ran.shapes, number), kept.strategy, kept.arrays
        if strategy == BLACK_BOX:
            strategy = tracing_mode(operator)
            arrays = pack(ran, strategy)
        if strategy.representation in (None, "map"):
            return Mapped(edge, False)
        return lookup_of(edge, strategy.representation, arrays, backward=False)

    return lookup
