"""Cuts a box out of an array."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from whence.arrays.builtin.elementwise import Array
from whence.arrays.builtin.strided_view import StridedView
from whence.arrays.emit import Emit
from whence.arrays.shapes import Ids, Shape


@dataclass(frozen=True)
class Crop(StridedView):
    """The cells from `low` up to, but without, `high` on each axis."""

    low: tuple[int, ...]
    high: tuple[int, ...]

    def run(self, inputs: Sequence[Array], emit: Emit) -> Array:
        """Return the cells of the box."""
        return inputs[0][tuple(slice(a, b) for a, b in zip(self.low, self.high, strict=True))]

    def start_and_step(self, shape: Shape) -> tuple[Ids, Ids]:
        """Return the lower corner of the box as start, and step 1."""
        starts = [slice(low, None).indices(size)[0] for low, size in zip(self.low, shape, strict=True)]
        return np.array(starts, dtype=np.int64), np.ones(len(shape), dtype=np.int64)
