"""The checker finds declarations that lie, and believes those that do not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest

from whence.arrays import Comp, Emit, Full, Map, Operator, Pay, check, neighbours
from whence.arrays.shapes import Ids, Shapes


class Blur(Operator):
    """The sum of a cell and its neighbours."""

    gives = {Map, Full, Pay, Comp}

    def run(self, inputs: Any, emit: Emit) -> np.ndarray:  # noqa: ANN401
        (cells,) = inputs
        padded = np.pad(cells, 1)
        for out in range(len(cells)):
            emit(out, [c for c in (out - 1, out, out + 1) if 0 <= c < len(cells)])
        emit.pay(np.arange(len(cells)), 1)
        blurred: np.ndarray = padded[:-2] + padded[1:-1] + padded[2:]
        return blurred

    def map_b(self, out: Ids, shapes: Shapes, i: int = 0) -> object:
        return neighbours(out, 1, shapes[i])

    def map_f(self, ins: Ids, /, shapes: Shapes, i: int = 0) -> object:
        return neighbours(ins, 1, shapes.out)

    def map_p(self, out: Ids, payload: Any, shapes: Shapes, i: int = 0) -> object:  # noqa: ANN401
        return neighbours(out, 1, shapes[i])


class ShortForward(Blur):
    gives = {Map}

    def map_f(self, ins: Ids, shapes: Shapes, i: int = 0) -> object:
        return ins


class ShortBackward(Blur):
    gives = {Map}

    def map_b(self, out: Ids, shapes: Shapes, i: int = 0) -> object:
        return out


class ShortList(Blur):
    gives = {Full}

    def run(self, inputs: Any, emit: Emit) -> np.ndarray:  # noqa: ANN401
        emit.pairs(np.arange(len(inputs[0])), np.arange(len(inputs[0])))
        return super().run(inputs, Emit((), 1))


class ShortPayload(Blur):
    gives = {Pay}

    def map_p(self, out: Ids, payload: Any, shapes: Shapes, i: int = 0) -> object:  # noqa: ANN401
        return out


class NeverNoted(Blur):
    gives = {Comp}

    def run(self, inputs: Any, emit: Emit) -> np.ndarray:  # noqa: ANN401
        return super().run(inputs, Emit((), 1))

    def map_b(self, out: Ids, shapes: Shapes, i: int = 0) -> object:
        return out

    map_f = map_b


class SumsRows(Operator):
    """Says that a row of a frame is made from the row of the same number, and adds a total of all."""

    gives = {Map}

    def run(self, inputs: Sequence[pd.DataFrame], emit: Emit) -> pd.DataFrame:
        return inputs[0].assign(total=inputs[0]["x"].sum())

    def map_b(self, out: Ids, shapes: Shapes, i: int = 0) -> object:
        return out

    map_f = map_b


class Moody(Operator):
    gives = {Map}

    def run(self, inputs: Any, emit: Emit) -> np.ndarray:  # noqa: ANN401
        shaken: np.ndarray = inputs[0] + np.random.default_rng().normal(size=inputs[0].shape)
        return shaken


CELLS = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0])


def test_what_is_true_is_believed() -> None:
    assert check(Blur(), CELLS) == []


@pytest.mark.parametrize("kind", [ShortForward, ShortBackward, ShortList, ShortPayload, NeverNoted])
def test_each_kind_of_lie_is_found(kind: type[Operator]) -> None:
    lies = check(kind(), CELLS)
    assert {lie.cell for lie in lies} == set(range(6))
    assert all(lie.missed for lie in lies)
    assert "does not reach output cell" in str(lies[0])


def test_lies_about_rows_are_found() -> None:
    (first, *_) = check(SumsRows(), pd.DataFrame({"x": [1.0, 2.0, 3.0]}))
    assert first.missed == (1, 2)


def test_chance_is_found() -> None:
    (lie,) = check(Moody(), CELLS)
    assert lie.representation == "deterministic"


def test_whole_numbers_and_truth_values_are_changed_within_their_bounds() -> None:
    class Flip(Operator):
        gives = {Map}

        def run(self, inputs: Any, emit: Emit) -> np.ndarray:  # noqa: ANN401
            flipped: np.ndarray = ~inputs[0] if inputs[0].dtype == bool else inputs[0][::-1].copy()
            return flipped

        def map_b(self, out: Ids, shapes: Shapes, i: int = 0) -> object:
            return out

        map_f = map_b

    assert check(Flip(), np.array([True, False])) == []
    assert check(Flip(), np.array([255, 0, 7], dtype=np.uint8))
