"""Puts arrays one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from whence.arrays.builtin.elementwise import Array
from whence.arrays.builtin.window_of import Shown, every, inside
from whence.arrays.emit import Emit
from whence.arrays.shapes import Ids, Shapes, coordinates


@dataclass(frozen=True)
class Concatenate(Shown):
    """All inputs along one axis."""

    axis: int = 0

    def run(self, inputs: Sequence[Array], emit: Emit) -> Array:
        """The output."""
        return np.concatenate(list(inputs), axis=self.axis)

    def covers(self, shapes: Shapes, i: int, *, backward: bool) -> bool | Ids:
        """All of an input, and its stretch of the output."""
        if backward:
            return True
        before = self._before(shapes, i)
        return every([start + np.arange(size) for start, size in zip(before, shapes[i], strict=True)], shapes.out)

    def map_b(self, out: Ids, shapes: Shapes, i: int = 0) -> Ids:
        """The cell of input i, if the output cell is in its stretch."""
        return inside(coordinates(out, shapes.out) - self._before(shapes, i), shapes[i])

    def map_f(self, ins: Ids, shapes: Shapes, i: int = 0) -> Ids:
        """The same place, further along the axis."""
        return inside(coordinates(ins, shapes[i]) + self._before(shapes, i), shapes.out)

    def _before(self, shapes: Shapes, i: int) -> Ids:
        start = np.zeros(len(shapes.out), dtype=np.int64)
        start[self.axis] = sum(shape[self.axis] for shape in shapes.inputs[:i])
        return start
