"""Inverts a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from whence.arrays.builtin.elementwise import Array
from whence.arrays.emit import Emit
from whence.arrays.operator import Map, Operator, Representation
from whence.arrays.reach import Reach, everything
from whence.arrays.shapes import Ids, Shapes
from whence.model.errors import BadInput


@dataclass(frozen=True)
class Inverse(Operator):
    """The inverse of a square matrix: every cell depends on every cell."""

    gives: ClassVar[set[Representation]] = {Map}

    def run(self, inputs: Sequence[Array], emit: Emit) -> Array:
        """Return the inverse; raise BadInput if there is none."""
        try:
            return np.linalg.inv(inputs[0])
        except np.linalg.LinAlgError as error:
            raise BadInput(f"A matrix of shape {inputs[0].shape} cannot be inverted: {error}.") from error

    def covers(self, shapes: Shapes, i: int, *, backward: bool) -> bool:
        """Return True: every cell is used."""
        return True

    def map_b(self, out: Ids, shapes: Shapes, i: int = 0) -> Reach:
        """Return all input cells for each output cell."""
        return everything(len(out), shapes.cells_of(i))

    def map_f(self, ins: Ids, shapes: Shapes, i: int = 0) -> Reach:
        """Return all output cells for each input cell."""
        return everything(len(ins), shapes.cells)
