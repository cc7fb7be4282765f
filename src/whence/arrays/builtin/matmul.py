"""Multiplies matrices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from whence.arrays.boxes import boxes
from whence.arrays.builtin.elementwise import Array
from whence.arrays.emit import Emit
from whence.arrays.operator import Map, Operator, Representation
from whence.arrays.reach import Reach
from whence.arrays.shapes import Ids, Shape, Shapes, coordinates


@dataclass(frozen=True)
class MatrixMultiply(Operator):
    """The product of two matrices."""

    gives: ClassVar[set[Representation]] = {Map}

    def run(self, inputs: Sequence[Array], emit: Emit) -> Array:
        """Return the product."""
        found: Array = np.matmul(inputs[0], inputs[1])
        return found

    def covers(self, shapes: Shapes, i: int, *, backward: bool) -> bool:
        """Return True: every cell is used."""
        return True

    def map_b(self, out: Ids, shapes: Shapes, i: int = 0) -> Reach:
        """Return a row of the first input, or a column of the second, for each cell of the product."""
        return _line(coordinates(out, shapes.out)[:, i], i, shapes[i])

    def map_f(self, ins: Ids, shapes: Shapes, i: int = 0) -> Reach:
        """Return a row of the product for a cell of the first input, a column for one of the second."""
        return _line(coordinates(ins, shapes[i])[:, i], i, shapes.out)


def _line(places: Ids, axis: int, shape: Shape) -> Reach:
    """Return, for each coordinate, all cells that have it on this axis."""
    low = np.zeros((len(places), 2), dtype=np.int64)
    high = np.tile(np.asarray(shape, dtype=np.int64), (len(places), 1))
    low[:, axis], high[:, axis] = places, places + 1
    return Reach(*boxes(low, high, shape))
