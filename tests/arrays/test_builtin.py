"""Every operator that comes with whence against cells that remember which cells they were computed from."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from whence.arrays import (
    Add,
    Concatenate,
    Convolve,
    Crop,
    Divide,
    Inverse,
    MatrixMultiply,
    Merge,
    Multiply,
    Operator,
    Pad,
    Reduce,
    Reshape,
    Shapes,
    Slice,
    Subtract,
    Threshold,
    Transpose,
    Where,
    check,
)
from whence.arrays.builtin import BUILT_IN
from whence.arrays.lookups import Edge, MappedLookup
from whence.arrays.operator_description import describe, find
from whence.lineage.selection import Selection

Cell = tuple[int, int]
"""Input, cell number."""


class Watched:
    """A number that knows the cells it was computed from."""

    def __init__(self, value: float, cells: frozenset[Cell]) -> None:
        self.value, self.cells = value, cells

    def _with(self, other: Watched | float, value: float) -> Watched:
        return Watched(value, self.cells | (other.cells if isinstance(other, Watched) else frozenset()))

    def __add__(self, other: Watched | float) -> Watched:
        return self._with(other, self.value + _value(other))

    def __sub__(self, other: Watched | float) -> Watched:
        return self._with(other, self.value - _value(other))

    def __mul__(self, other: Watched | float) -> Watched:
        return self._with(other, self.value * _value(other))

    def __truediv__(self, other: Watched | float) -> Watched:
        return self._with(other, self.value / _value(other))

    __radd__, __rmul__ = __add__, __mul__


def _value(other: Watched | float) -> float:
    return other.value if isinstance(other, Watched) else other


def watched(shape: tuple[int, ...], number: int) -> np.ndarray:
    cells = np.empty(shape, dtype=object)
    for place in range(cells.size):
        cells.flat[place] = Watched(float(place + 1), frozenset({(number, place)}))
    return cells


def reads_by_running(operator: Operator, shapes: list[tuple[int, ...]]) -> tuple[Any, list[frozenset[Cell]]]:
    """What NumPy itself read, where it can compute with objects."""
    output = np.asarray(operator.run([watched(shape, n) for n, shape in enumerate(shapes)], None))  # type: ignore[arg-type]
    return output.shape, [each.cells if isinstance(each, Watched) else frozenset() for each in output.ravel().tolist()]


def reads_convolve(kernel: np.ndarray, shape: tuple[int, ...]) -> list[frozenset[Cell]]:
    """The sum written out: out[p] = sum over k of kernel[k] * input[p - (k - middle)]."""
    middle = [size // 2 for size in kernel.shape]
    found = []
    for place in product(*map(range, shape)):
        cells = set()
        for k in product(*map(range, kernel.shape)):
            source = tuple(p - (a - m) for p, a, m in zip(place, k, middle, strict=True))
            if kernel[k] != 0 and all(0 <= s < size for s, size in zip(source, shape, strict=True)):
                cells.add((0, int(np.ravel_multi_index(source, shape))))
        found.append(frozenset(cells))
    return found


def reads_same_place(count: int, shape: tuple[int, ...]) -> list[frozenset[Cell]]:
    size = int(np.prod(shape))
    return [frozenset((number, cell) for number in range(count)) for cell in range(size)]


Written = tuple[Operator, list[tuple[int, ...]], list[frozenset[Cell]]]

RUN: list[tuple[Operator, list[tuple[int, ...]]]] = [
    (Add(), [(3, 4), (3, 4)]),
    (Add(2.0), [(3, 4)]),
    (Subtract(), [(3, 4), ()]),
    (Subtract(), [(2, 3, 4), (3, 1)]),
    (Multiply(), [(1, 4), (3, 1)]),
    (Divide(), [(3, 4), (4,)]),
    (Transpose(), [(3, 4)]),
    (Transpose((2, 0, 1)), [(2, 3, 4)]),
    (Transpose((-1, 0)), [(2, 3)]),
    (Crop((1, 0), (3, 2)), [(4, 3)]),
    (Crop((-2, 1), (10, 3)), [(4, 3)]),
    (Pad((1, 0), (2, 3)), [(2, 2)]),
    (Slice(((None, None, 2), (1, None, None))), [(5, 3)]),
    (Slice(((None, None, -1),)), [(4, 2)]),
    (Slice(((3, 0, -2), (None, 1, None))), [(5, 3)]),
    (Concatenate(), [(2, 3), (1, 3), (2, 3)]),
    (Concatenate(axis=1), [(2, 3), (2, 1)]),
    (Concatenate(axis=-1), [(2, 2), (2, 2)]),
    (Reshape((6,)), [(2, 3)]),
    (Reshape((3, -1)), [(2, 3)]),
    (Reduce("sum"), [(2, 3)]),
    (Reduce("sum", (0,)), [(2, 3)]),
    (Reduce("sum", (-1, 0)), [(2, 3, 2)]),
    (Reduce("sum"), [()]),
    (MatrixMultiply(), [(2, 3), (3, 4)]),
    (Merge("sum"), [(2, 2), (2, 2), (2, 2)]),
]

KERNELS = [np.ones((3, 3)), np.array([[0, 1, 0], [2, 0, 3], [0, 0, 0]]), np.array([[1.0, 0, 0, 2, 5]])]


def convolved(kernel: np.ndarray) -> Written:
    return Convolve(tuple(map(tuple, kernel.tolist()))), [(4, 5)], reads_convolve(kernel, (4, 5))


def reduced(how: str) -> Written:
    return Reduce(how, (1,)), [(2, 3)], [frozenset((0, 3 * row + k) for k in range(3)) for row in range(2)]


WRITTEN: list[Written] = [
    *(convolved(kernel) for kernel in KERNELS),
    (Where(), [(2, 3), (2, 3), (2, 3)], reads_same_place(3, (2, 3))),
    (Threshold(1.0), [(2, 3)], reads_same_place(1, (2, 3))),
    (Threshold(), [(2, 3), (2, 3)], reads_same_place(2, (2, 3))),
    (Merge("median"), [(2, 3), (2, 3)], reads_same_place(2, (2, 3))),
    (Inverse(), [(3, 3)], [frozenset((0, cell) for cell in range(9))] * 9),
    *(reduced(how) for how in ("mean", "std", "var", "min", "max", "median")),
]


def expected(operator: Operator, shapes: list[tuple[int, ...]]) -> tuple[Shapes, list[frozenset[Cell]]]:
    out, reads = reads_by_running(operator, shapes)
    return Shapes(tuple(shapes), out), reads


def _cases() -> list[tuple[Operator, Shapes, list[frozenset[Cell]]]]:
    found = [(operator, *expected(operator, shapes)) for operator, shapes in RUN]
    for operator, shapes, reads in WRITTEN:
        out = operator.run([np.random.default_rng(0).random(shape) for shape in shapes], None).shape  # type: ignore[arg-type]
        found.append((operator, Shapes(tuple(shapes), out), reads))
    return found


def test_every_built_in_has_a_case() -> None:
    assert {type(operator).__name__ for operator, _, _ in _cases()} == set(BUILT_IN)


@pytest.mark.parametrize("case", _cases(), ids=lambda case: f"{case[0]}{case[1].inputs}")
def test_maps_say_what_was_read(case: tuple[Operator, Shapes, list[frozenset[Cell]]]) -> None:
    operator, shapes, reads = case
    for number in range(len(shapes)):
        edge = Edge(operator, shapes, number)
        backward, forward = MappedLookup(edge, True), MappedLookup(edge, False)
        behind = [sorted(cell for n, cell in cells if n == number) for cells in reads]
        reached = [
            sorted(out for out, cells in enumerate(reads) if (number, cell) in cells)
            for cell in range(shapes.cells_of(number))
        ]
        for lookup, want in ((backward, behind), (forward, reached)):
            keys = np.arange(len(want), dtype=np.int64)
            assert lookup.lengths(keys).tolist() == [len(each) for each in want]
            assert lookup.of(keys).tolist() == [cell for each in want for cell in each]
            everything = sorted({cell for each in want for cell in each})
            assert lookup.select(Selection.everything(len(want))).ids.tolist() == everything
            some = keys[::2]
            chosen = sorted({cell for key in some for cell in want[key]})
            assert lookup.select(Selection.of(some, len(want))).ids.tolist() == chosen


@pytest.mark.parametrize("case", _cases(), ids=lambda case: f"{case[0]}{case[1].inputs}")
def test_what_they_cover_and_keep_in_place_is_so(case: tuple[Operator, Shapes, list[frozenset[Cell]]]) -> None:
    operator, shapes, reads = case
    for number in range(len(shapes)):
        used = {cell for cells in reads for n, cell in cells if n == number}
        made = {out for out, cells in enumerate(reads) if any(n == number for n, _ in cells)}
        for backward, want, size in ((True, used, shapes.cells_of(number)), (False, made, shapes.cells)):
            said = operator.covers(shapes, number, backward=backward)
            if isinstance(said, np.ndarray):
                assert set(said.tolist()) == want
            elif said:
                assert want == set(range(size))
        if operator.is_same(shapes, number):
            assert all({cell for n, cell in cells if n == number} == {out} for out, cells in enumerate(reads))


def test_the_checker_believes_them_all() -> None:
    random = np.random.default_rng(1)
    for operator, shapes, _ in _cases():
        inputs: list[np.ndarray] = [random.normal(0, 10, shape) for shape in shapes.inputs]
        if isinstance(operator, Where):
            inputs[0] = inputs[0] > 0
        assert check(operator, *inputs, cells=5) == []


def test_they_are_found_again_by_what_is_written_down() -> None:
    for operator, _, _ in _cases():
        assert find(describe(operator)) == operator
