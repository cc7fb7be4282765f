"""Operators that work cell by cell: arithmetic and thresholds, with NumPy's broadcasting of shapes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from whence.arrays.boxes import boxes
from whence.arrays.emit import Emit
from whence.arrays.operator import Map, Operator, Representation
from whence.arrays.reach import Reach
from whence.arrays.shapes import Ids, Shape, Shapes, coordinates, numbers

Array = npt.NDArray[Any]


# Users extend this class, and fingerprints of their classes hash its code: a change of it makes lineage that earlier
# sessions declared unanswerable (see `fingerprint`).
class Elementwise(Operator):
    """An output cell depends on the cell of the same place in each input, repeated along axes of length one.

    A function of your own over cells is one line: give `compute`.
    """

    gives: ClassVar[set[Representation]] = {Map}

    def compute(self, *arrays: Array) -> Array:
        """The output cells."""
        raise NotImplementedError

    def run(self, inputs: Sequence[Array], emit: Emit) -> Array:
        """The output."""
        return np.asarray(self.compute(*inputs))

    def is_same(self, shapes: Shapes, i: int) -> bool:
        """No axis is repeated."""
        return shapes[i] == shapes.out

    def covers(self, shapes: Shapes, i: int, *, backward: bool) -> bool:
        """Every cell is used, and every cell reached."""
        return True

    def map_b(self, out: Ids, shapes: Shapes, i: int = 0) -> Ids:
        """The cell of the same place."""
        if self.is_same(shapes, i):
            return out
        # Broadcasting aligns shapes at their last axes.
        places = coordinates(out, shapes.out)[:, len(shapes.out) - len(shapes[i]) :]
        return numbers(np.where(np.asarray(shapes[i]) == 1, 0, places), shapes[i])

    def map_f(self, ins: Ids, shapes: Shapes, i: int = 0) -> Ids | Reach:
        """The cells of the same place, all along axes that are repeated."""
        if self.is_same(shapes, i):
            return ins
        low, high = _spread(coordinates(ins, shapes[i]), shapes[i], shapes.out)
        return Reach(*boxes(low, high, shapes.out))


def _spread(places: Ids, inner: Shape, outer: Shape) -> tuple[Ids, Ids]:
    low = np.zeros((len(places), len(outer)), dtype=np.int64)
    high = np.tile(np.asarray(outer, dtype=np.int64), (len(places), 1))
    for axis, length in enumerate(inner):
        target = len(outer) - len(inner) + axis
        if length == outer[target]:
            low[:, target], high[:, target] = places[:, axis], places[:, axis] + 1
    return low, high


@dataclass(frozen=True)
class _Arithmetic(Elementwise):
    """Arithmetic on two inputs, or on one input and a number."""

    number: float | None = None
    function: ClassVar[Callable[..., Array]]

    def compute(self, *arrays: Array) -> Array:
        """Return the output cells."""
        return type(self).function(*arrays, *(() if self.number is None else (self.number,)))


class Add(_Arithmetic):
    """The sum of two inputs, or of one and `number`."""

    function = np.add


class Subtract(_Arithmetic):
    """The first input less the second, or less `number`."""

    function = np.subtract


class Multiply(_Arithmetic):
    """The product of two inputs, or of one and `number`."""

    function = np.multiply


class Divide(_Arithmetic):
    """The first input divided by the second, or by `number`."""

    function = np.divide


@dataclass(frozen=True)
class Threshold(Elementwise):
    """True where a cell is larger than `above`, or than the cell of a second input."""

    above: float | None = None

    def compute(self, *arrays: Array) -> Array:
        """Return the output cells."""
        return np.greater(arrays[0], arrays[1] if self.above is None else self.above)
