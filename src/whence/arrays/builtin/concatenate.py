"""Joins arrays along an axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from whence.arrays.builtin.elementwise import Array
from whence.arrays.builtin.strided_view import StridedView, every, numbers_inside
from whence.arrays.emit import Emit
from whence.arrays.shapes import Ids, Shapes, coordinates


@dataclass(frozen=True)
class Concatenate(StridedView):
    """Joins all inputs along one axis, as `np.concatenate` does."""

    axis: int = 0

    def run(self, inputs: Sequence[Array], emit: Emit) -> Array:
        """Return the joined array."""
        return np.concatenate(list(inputs), axis=self.axis)

    def covers(self, shapes: Shapes, i: int, *, backward: bool) -> bool | Ids:
        """Return True backward, as every input cell is used; forward the input's stretch of the output."""
        if backward:
            return True
        before = self._before(shapes, i)
        return every([start + np.arange(size) for start, size in zip(before, shapes[i], strict=True)], shapes.out)

    def map_b(self, out: Ids, shapes: Shapes, i: int = 0) -> Ids:
        """Return the cell of input i behind each output cell; none if the cell lies in another input's stretch."""
        return numbers_inside(coordinates(out, shapes.out) - self._before(shapes, i), shapes[i])

    def map_f(self, ins: Ids, shapes: Shapes, i: int = 0) -> Ids:
        """Return the output cell of each cell of input i, shifted by the inputs before it."""
        return numbers_inside(coordinates(ins, shapes[i]) + self._before(shapes, i), shapes.out)

    def _before(self, shapes: Shapes, i: int) -> Ids:
        start = np.zeros(len(shapes.out), dtype=np.int64)
        start[self.axis] = sum(shape[self.axis] for shape in shapes.inputs[:i])
        return start
