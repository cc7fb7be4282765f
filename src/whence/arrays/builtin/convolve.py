"""Convolution of an array with a kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from whence.arrays.builtin.elementwise import Array
from whence.arrays.builtin.strided_view import numbers_inside
from whence.arrays.emit import Emit
from whence.arrays.operator import Map, Operator, Representation
from whence.arrays.reach import neighbours
from whence.arrays.shapes import Ids, Shape, Shapes, coordinates
from whence.model.errors import BadInput
from whence.model.lazy_module import LazyModule

if TYPE_CHECKING:
    from scipy import ndimage
else:
    ndimage = LazyModule("scipy.ndimage")


@dataclass(frozen=True)
class Convolve(Operator):
    """The sum of the cells around each cell, weighed by `kernel` (nested tuples, odd lengths); beyond the edge is 0."""

    kernel: tuple[Any, ...]
    gives: ClassVar[set[Representation]] = {Map}

    def __post_init__(self) -> None:
        if not all(size % 2 for size in self._weights.shape):
            raise BadInput(f"A kernel of shape {self._weights.shape} has no middle.", "Give odd lengths.")

    @property
    def radius(self) -> tuple[int, ...]:  # type: ignore[override]
        """How far the kernel reaches on each axis."""
        return tuple(size // 2 for size in np.asarray(self.kernel).shape)

    def run(self, inputs: Sequence[Array], emit: Emit) -> Array:
        """Return the convolved array, in floating numbers."""
        found: Array = ndimage.convolve(np.asarray(inputs[0], dtype=float), self._weights, mode="constant", cval=0.0)
        return found.astype(np.result_type(inputs[0].dtype, np.float32), copy=False)

    def covers(self, shapes: Shapes, i: int, *, backward: bool) -> bool | None:
        """Return True if the middle weight is not zero, as each cell then reaches itself; else None."""
        return True if self._weights[self.radius] else None

    def map_b(self, out: Ids, shapes: Shapes, i: int = 0) -> object:
        """Return the input cells under the weights that are not zero."""
        return self._around(out, shapes[i], -1)

    def map_f(self, ins: Ids, shapes: Shapes, i: int = 0) -> object:
        """Return the output cells for which a weight that is not zero lies over the input cell."""
        return self._around(ins, shapes.out, 1)

    @property
    def _weights(self) -> Array:
        return np.asarray(self.kernel, dtype=float)

    def _around(self, ids: Ids, shape: Shape, sign: int) -> object:
        weights = self._weights
        if weights.all():
            return neighbours(ids, self.radius, shape)
        # A convolution mirrors its kernel, so the cells behind an output cell lie at minus the offsets of the weights.
        offsets = sign * (np.argwhere(weights) - np.asarray(self.radius))
        # In C order, so that answers are sorted already.
        order = np.lexsort(offsets.T[::-1])
        places = coordinates(ids, shape)[:, None, :] + offsets[order]
        return numbers_inside(places.reshape(-1, len(shape)), shape).reshape(len(ids), -1)
