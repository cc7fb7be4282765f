"""Puts a border around an array."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from whence.arrays.builtin.elementwise import Array
from whence.arrays.builtin.strided_view import StridedView
from whence.arrays.emit import Emit
from whence.arrays.shapes import Ids, Shape


@dataclass(frozen=True)
class Pad(StridedView):
    """Adds so many cells of `value` before and after each axis; a border cell has no lineage."""

    before: tuple[int, ...]
    after: tuple[int, ...]
    value: float = 0

    def run(self, inputs: Sequence[Array], emit: Emit) -> Array:
        """Return the array with its border."""
        return np.pad(inputs[0], list(zip(self.before, self.after, strict=True)), constant_values=self.value)

    def start_and_step(self, shape: Shape) -> tuple[Ids, Ids]:
        """Return the start, which lies before the first cell by the width of the border, and step 1."""
        return -np.array(self.before, dtype=np.int64), np.ones(len(shape), dtype=np.int64)
