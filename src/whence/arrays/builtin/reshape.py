"""Gives the same cells another shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from whence.arrays.builtin.elementwise import Array
from whence.arrays.emit import Emit
from whence.arrays.operator import Map, Operator, Representation
from whence.arrays.shapes import Ids, Shapes


@dataclass(frozen=True)
class Reshape(Operator):
    """The cells in C order, in this shape; one length may be -1."""

    shape: tuple[int, ...]
    gives: ClassVar[set[Representation]] = {Map}

    def run(self, inputs: Sequence[Array], emit: Emit) -> Array:
        """Return the cells in the new shape."""
        return inputs[0].reshape(self.shape)

    def is_same(self, shapes: Shapes, i: int) -> bool:
        """Return True: cells keep their numbers in C order."""
        return True

    def map_b(self, out: Ids, shapes: Shapes, i: int = 0) -> Ids:
        """Return the cell of the same number."""
        return out

    def map_f(self, ins: Ids, shapes: Shapes, i: int = 0) -> Ids:
        """Return the cell of the same number."""
        return ins
