"""Takes every n-th cell along axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from whence.arrays.builtin.elementwise import Array
from whence.arrays.builtin.strided_view import StridedView
from whence.arrays.emit import Emit
from whence.arrays.shapes import Ids, Shape


@dataclass(frozen=True)
class Slice(StridedView):
    """Slices an array: `steps` holds (start, stop, step) for each axis, as in Python; a step may be negative."""

    steps: tuple[tuple[int | None, int | None, int | None], ...]

    def run(self, inputs: Sequence[Array], emit: Emit) -> Array:
        """Return the sliced array."""
        return inputs[0][tuple(slice(*each) for each in self.steps)]

    def start_and_step(self, shape: Shape) -> tuple[Ids, Ids]:
        """Return the start and step of each axis; axes without a slice are taken whole."""
        given = [slice(*each) for each in self.steps] + [slice(None)] * (len(shape) - len(self.steps))
        found = [each.indices(size) for each, size in zip(given, shape, strict=True)]
        starts, steps = [start for start, _, _ in found], [step for _, _, step in found]
        return np.array(starts, dtype=np.int64), np.array(steps, dtype=np.int64)
