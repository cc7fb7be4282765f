"""Every representation and encoding gives the same answers, in both directions, as the sets they were made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.arrays import Emit, Operator, Reach
from whence.arrays.encodings import lookup_of
from whence.arrays.lookups import Edge, MappedLookup
from whence.arrays.operator import Representation
from whence.arrays.shapes import Ids, Shapes
from whence.arrays.strategy import strategy
from whence.arrays.tracing import pack, run_operator
from whence.lineage.selection import Selection

KINDS = ["full one", "full many", "pay one", "pay many", "comp one", "comp many", "map"]


@dataclass(frozen=True)
class Random(Operator):
    """An operator whose lineage is any sets at all: `regions` of output and input cells, 1:1 elsewhere if `default`."""

    size: int
    out_size: int
    regions: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    default: bool
    payload: str = "number"
    gives: ClassVar[set[Representation]] = {"full", "map", "pay", "comp"}

    @property
    def truth(self) -> list[set[int]]:
        """By definition, in plain Python."""
        behind: list[set[int]] = [set() for _ in range(self.out_size)]
        told = {out for outs, _ in self.regions for out in outs}
        for outs, ins in self.regions:
            for out in outs:
                behind[out] |= set(ins)
        if self.default:
            for out in range(min(self.size, self.out_size)):
                if out not in told:
                    behind[out] = {out}
        return behind

    def run(self, inputs: Any, emit: Emit) -> np.ndarray:  # noqa: ANN401
        for number, (outs, ins) in enumerate(self.regions):
            emit(np.array(outs, dtype=int), np.array(ins, dtype=int))
            emit.pay(np.array(outs, dtype=int), self._note(number))
        told = {out for outs, _ in self.regions for out in outs}
        plain = [out for out in range(min(self.size, self.out_size)) if out not in told]
        if self.default:
            emit.pairs(plain, plain)
            if "pay" in emit.wants:
                emit.pay(plain, self._note(-1) if self.payload != "each" else np.full(len(plain), -1))
        return np.zeros(self.out_size)

    def _note(self, number: int) -> object:
        if self.payload == "bytes":
            return str(number).encode()
        if self.payload == "wide":
            return (number, 7)
        return number

    def map_p(self, out: Ids, payload: np.ndarray, shapes: Shapes, i: int = 0) -> Reach:
        found = []
        for cell, note in zip(out, payload, strict=True):
            number = int(note[0]) if self.payload == "wide" else int(note)
            found.append(np.array([cell] if number < 0 else self.regions[number][1], dtype=np.int64))
        lengths = np.array([len(each) for each in found], dtype=np.int64)
        return Reach(lengths, np.concatenate([np.empty(0, dtype=np.int64), *found]))

    def map_b(self, out: Ids, shapes: Shapes, i: int = 0) -> Any:  # noqa: ANN401
        if self.default:  # for Comp: what holds where nothing is noted
            return np.where(out < self.size, out, -1)
        return np.full(len(out), -1)

    def map_f(self, ins: Ids, shapes: Shapes, i: int = 0) -> Any:  # noqa: ANN401
        if self.default:
            return np.where(ins < self.out_size, ins, -1)
        return np.full(len(ins), -1)


class Exact(Random):
    """The same as a map alone."""

    def map_b(self, out: Ids, shapes: Shapes, i: int = 0) -> Any:  # noqa: ANN401
        sets = [sorted(self.truth[cell]) for cell in out]
        return np.cumsum([0, *map(len, sets)]), np.array([cell for each in sets for cell in each], dtype=int)

    def map_f(self, ins: Ids, shapes: Shapes, i: int = 0) -> Any:  # noqa: ANN401
        width = self.out_size + 1
        table = np.full((len(ins), width), -1)
        for row, cell in enumerate(ins):
            outs = [out for out, cells in enumerate(self.truth) if cell in cells]
            table[row, : len(outs)] = outs
        return table


@st.composite
def operators(draw: st.DrawFn) -> tuple[Random, str]:
    size, out_size = draw(st.integers(1, 12)), draw(st.integers(1, 12))
    outs = st.lists(st.integers(0, out_size - 1), max_size=5).map(tuple)
    ins = st.lists(st.integers(0, size - 1), max_size=5).map(tuple)
    regions = tuple(draw(st.lists(st.tuples(outs, ins), max_size=4)))
    kind = draw(st.sampled_from(KINDS))
    payload = draw(st.sampled_from(["number", "bytes", "wide"]))
    make = Exact if kind == "map" else Random
    return make(size, out_size, regions, draw(st.booleans()), payload), kind


def answers_are_right(operator: Random, kind: str, asked: list[int]) -> None:
    chosen = strategy(kind)
    ran = run_operator(operator, [np.zeros(operator.size)], chosen.wants)
    arrays = pack(ran, chosen) if chosen.is_stored else {}
    edge = Edge(operator, ran.shapes, 0)
    behind = [sorted(cells) for cells in operator.truth]
    reached = [[out for out, cells in enumerate(behind) if cell in cells] for cell in range(operator.size)]
    for backward, want in ((True, behind), (False, reached)):
        representation = chosen.representation
        assert representation is not None
        lookup = (
            MappedLookup(edge, backward)
            if representation == "map"
            else lookup_of(edge, representation, arrays, backward=backward)
        )
        keys = np.array([each % len(want) for each in asked], dtype=np.int64)
        assert lookup.of(keys).tolist() == [cell for key in keys for cell in want[key]]
        assert lookup.lengths(keys).tolist() == [len(want[key]) for key in keys]
        chosen_keys = Selection.of(keys, len(want))
        assert lookup.select(chosen_keys).ids.tolist() == sorted({cell for key in keys for cell in want[key]})
        every = sorted({cell for each in want for cell in each})
        assert lookup.select(Selection.everything(len(want))).ids.tolist() == every


@settings(max_examples=400, deadline=None, derandomize=True)
@given(operators(), st.lists(st.integers(0, 50), max_size=6))
def test_answers_are_those_of_the_definition(case: tuple[Random, str], asked: list[int]) -> None:
    answers_are_right(*case, asked)


@pytest.mark.long
@settings(max_examples=20_000, deadline=None)
@given(operators(), st.lists(st.integers(0, 50), max_size=6))
def test_answers_are_those_of_the_definition_many_times(case: tuple[Random, str], asked: list[int]) -> None:
    answers_are_right(*case, asked)


def test_a_cell_with_two_payloads_has_the_lineage_of_both() -> None:
    operator = Random(4, 3, (((0, 1), (0, 1)), ((1, 2), (3,))), False)
    for kind in ("pay one", "pay many", "full one", "full many"):
        answers_are_right(operator, kind, [0, 1, 2, 3])


def test_regions_and_pairs_may_be_told_in_bulk() -> None:
    emit = Emit({"full"}, 1)
    emit.regions([0, 1, 2], [7, 7, 9], [4, 5, 6], [7, 9, 9])
    emit.pairs([2, 2, 3], [0, 1, 0])
    pairs = {(int(out), int(cell)) for out, cell in zip(*emit.listed.pairs(0), strict=True)}
    assert pairs == {(0, 4), (1, 4), (2, 5), (2, 6), (2, 0), (2, 1), (3, 0)}
