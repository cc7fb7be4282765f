"""Stored lineage or another run: whichever is quicker, and never more than twice as long as running again."""

from __future__ import annotations

import time
from typing import ClassVar

import numpy as np
import pytest

from whence.arrays import Operator
from whence.arrays.choosing import Choosing
from whence.arrays.gather import Deadline, TookTooLong, gather
from whence.arrays.lookups import Edge, MappedLookup
from whence.arrays.operator import Representation
from whence.arrays.shapes import Ids, Shapes
from whence.lineage.index import build_lookup
from whence.lineage.lookup import Lookup
from whence.lineage.selection import Selection

CELLS = 200


class Slow(Operator):
    """A map that takes its time for each cell."""

    gives: ClassVar[set[Representation]] = {"map", "full"}

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.asked = 0

    def map_b(self, out: Ids, shapes: Shapes, i: int = 0) -> object:
        self.asked += len(out)
        time.sleep(self.seconds * len(out))
        return out

    map_f = map_b


def choosing(operator: Slow, rerun_seconds: float, reruns: list[int]) -> Choosing:
    every = np.arange(CELLS, dtype=np.int64)

    def rerun() -> Lookup:
        reruns.append(1)
        time.sleep(rerun_seconds)
        return build_lookup(every, every, CELLS, CELLS)

    return Choosing(MappedLookup(Edge(operator, Shapes(((CELLS,),), (CELLS,)), 0), True), rerun, lambda: rerun_seconds)


def test_what_is_quick_is_not_run_again() -> None:
    reruns: list[int] = []
    lookup = choosing(Slow(0), 0.2, reruns)
    assert lookup.select(Selection.of(np.arange(50), CELLS)).ids.tolist() == list(range(50))
    assert reruns == []


def test_what_turns_out_slow_is_run_again_and_remembered() -> None:
    reruns: list[int] = []
    operator = Slow(0.002)
    lookup = choosing(operator, 0.05, reruns)
    asked = Selection.of(np.arange(150), CELLS)  # 0.3 s by the map
    assert lookup.select(asked).ids.tolist() == list(range(150))
    assert len(reruns) == 1
    before = operator.asked
    assert before < 150  # the map was given up before its end
    assert lookup.select(asked).count == 150
    assert operator.asked == before  # known to be slower by now
    assert lookup.select(Selection.of(np.arange(2), CELLS)).count == 2
    assert operator.asked > before  # but not for a few cells
    assert len(reruns) == 2


def test_a_deadline_is_noticed_between_pieces() -> None:
    def same(keys: Ids) -> Ids:
        time.sleep(0.02)
        return keys

    with pytest.raises(TookTooLong):
        gather(np.arange(10), same, 100, Deadline.after(0.01))


def test_gathering_stops_when_all_cells_are_reached() -> None:
    asked = 0

    def ask(keys: Ids) -> Ids:
        nonlocal asked
        asked += len(keys)
        return np.arange(50, dtype=np.int64)

    assert gather(np.arange(1000), ask, 50).is_everything
    assert asked == 1


def test_pieces_grow_with_what_they_reach() -> None:
    sizes: list[int] = []

    def ask(keys: Ids) -> Ids:
        sizes.append(len(keys))
        return keys

    assert gather(np.arange(1000), ask, 10_000).count == 1000
    assert sizes == [1, 8, 64, 512, 415]
