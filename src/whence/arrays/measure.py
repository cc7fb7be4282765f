"""Measures what each strategy for an operator's lineage costs: bytes, seconds of the run, seconds of a question."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from whence.arrays.encodings import Arrays, lookup_of, narrowed
from whence.arrays.lookups import Edge, MappedLookup
from whence.arrays.operator import Operator
from whence.arrays.shapes import Shapes
from whence.arrays.strategy import BLACK_BOX, COARSE, MAP, Strategy, possible, tracing_mode
from whence.arrays.tracing import Input, pack, run_operator
from whence.lineage.lookup import Lookup
from whence.lineage.selection import Selection
from whence.store.index_file import BLOCK

WAYS = ("backward", "forward")

ASKED = 100
"""Cells in each question that is timed."""

UNANSWERED = 1000.0
"""Seconds that the planner counts for a question with only a coarse answer, so that it avoids such an answer."""


@dataclass(frozen=True)
class StrategyCosts:
    """The costs of one strategy, and the arrays it would store; `run` is what a run takes longer, in seconds."""

    strategy: Strategy
    disk: int
    run: float
    asking: dict[str, float]
    arrays: Arrays


def measure(operator: Operator, inputs: Sequence[Input], seed: int = 0) -> list[StrategyCosts]:
    """Run the operator with every strategy it allows on these inputs, and return the cost of each."""
    # The quicker of two runs, so that what only a first run pays does not count.
    plain = min((run_operator(operator, inputs, ()) for _ in range(2)), key=lambda ran: ran.seconds)
    found = [
        _one(operator, inputs, each, plain=plain.seconds, shapes=plain.shapes, seed=seed) for each in possible(operator)
    ]
    if all(each.disk or each.run for each in found):  # it cannot be run again, and there may be no room
        found.append(StrategyCosts(COARSE, 0, 0.0, dict.fromkeys(WAYS, UNANSWERED), {}))
    return found


def _one(
    operator: Operator, inputs: Sequence[Input], strategy: Strategy, plain: float, shapes: Shapes, seed: int
) -> StrategyCosts:
    if strategy == COARSE:
        return StrategyCosts(COARSE, 0, 0.0, dict.fromkeys(WAYS, 0.0), {})
    if strategy == MAP:
        asking = {way: _time_first_question(operator, shapes, MAP, arrays={}, way=way, seed=seed) for way in WAYS}
        return StrategyCosts(MAP, 0, 0.0, asking, {})
    mode = tracing_mode(operator) if strategy == BLACK_BOX else strategy
    ran = run_operator(operator, inputs, mode.wants)
    started = time.perf_counter()
    arrays = pack(ran, mode)
    packing = time.perf_counter() - started
    asking = {way: _time_first_question(operator, shapes, mode, arrays=arrays, way=way, seed=seed) for way in WAYS}
    if strategy == BLACK_BOX:
        return StrategyCosts(strategy, 0, 0.0, {way: ran.seconds + packing + asking[way] for way in WAYS}, {})
    more = max(ran.seconds - plain, 0.0) + packing
    return StrategyCosts(strategy, size_of(arrays), more, asking, arrays)


def size_of(arrays: Arrays) -> int:
    """Return an upper bound of the bytes of a file of these arrays, with room for its headings and block checksums."""
    small = narrowed(arrays).values()
    return sum(array.nbytes + 256 + len(array) // BLOCK * 16 for array in small) + 256


def _time_first_question(
    operator: Operator, shapes: Shapes, strategy: Strategy, arrays: Arrays, way: str, seed: int
) -> float:
    """Return the mean seconds, over the inputs, of a first question, with the time to build its indexes."""
    random = np.random.default_rng(seed)
    taken = []
    for number in range(len(shapes)):
        edge = Edge(operator, shapes, number)
        cells = edge.ends(backward=way == "backward")[0]
        keys = np.unique(random.integers(0, max(cells, 1), min(ASKED, cells)))
        started = time.perf_counter()
        _lookup(edge, strategy, arrays, way).select(Selection.of(keys, cells))
        taken.append(time.perf_counter() - started)
    return float(np.mean(taken)) if taken else 0.0


def _lookup(edge: Edge, strategy: Strategy, arrays: Arrays, way: str) -> Lookup:
    if strategy.representation in (None, "map"):
        return MappedLookup(edge, way == "backward")
    return lookup_of(edge, strategy.representation, arrays, backward=way == "backward")
