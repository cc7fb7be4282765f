"""Permutes the axes of an array."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from whence.arrays.builtin.elementwise import Array
from whence.arrays.emit import Emit
from whence.arrays.operator import Map, Operator, Representation
from whence.arrays.shapes import Ids, Shapes, coordinates, numbers


@dataclass(frozen=True)
class Transpose(Operator):
    """Puts the axes in the order given; without one, reverses them."""

    axes: tuple[int, ...] | None = None
    gives: ClassVar[set[Representation]] = {Map}

    def run(self, inputs: Sequence[Array], emit: Emit) -> Array:
        """Return the transposed array."""
        return np.transpose(inputs[0], self.axes)

    def covers(self, shapes: Shapes, i: int, *, backward: bool) -> bool:
        """Return True: every cell is used."""
        return True

    def map_b(self, out: Ids, shapes: Shapes, i: int = 0) -> Ids:
        """Return the one input cell that each output cell was."""
        return numbers(coordinates(out, shapes.out)[:, np.argsort(self._order(shapes))], shapes[i])

    def map_f(self, ins: Ids, shapes: Shapes, i: int = 0) -> Ids:
        """Return the one output cell that each input cell became."""
        return numbers(coordinates(ins, shapes[i])[:, self._order(shapes)], shapes.out)

    def _order(self, shapes: Shapes) -> list[int]:
        size = len(shapes[0])
        return list(range(size))[::-1] if self.axes is None else [axis % size for axis in self.axes]
