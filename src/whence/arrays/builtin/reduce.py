"""Reduces an array along axes: sum, mean and the like."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from whence.arrays.boxes import boxes
from whence.arrays.builtin.elementwise import Array
from whence.arrays.emit import Emit
from whence.arrays.operator import Map, Operator, Representation
from whence.arrays.reach import Reach
from whence.arrays.shapes import Ids, Shape, Shapes, coordinates, numbers
from whence.model.errors import BadInput

_HOW: dict[str, Callable[..., Any]] = {
    "sum": np.sum,
    "mean": np.mean,
    "std": np.std,
    "var": np.var,
    "min": np.min,
    "max": np.max,
    "median": np.median,
}


@dataclass(frozen=True)
class Reduce(Operator):
    """One number for each line along `axes`, or for the whole array."""

    how: str = "sum"
    axes: tuple[int, ...] | None = None
    gives: ClassVar[set[Representation]] = {Map}

    def __post_init__(self) -> None:
        if self.how not in _HOW:
            raise BadInput(f"An array cannot be reduced by {self.how!r}.", f"Say one of {', '.join(_HOW)}.")

    def run(self, inputs: Sequence[Array], emit: Emit) -> Array:
        """Return the reduced array."""
        return np.asarray(_HOW[self.how](inputs[0], axis=self.axes))

    def covers(self, shapes: Shapes, i: int, *, backward: bool) -> bool:
        """Return True: every input cell is used, and every output cell has input cells."""
        return True

    def map_b(self, out: Ids, shapes: Shapes, i: int = 0) -> Reach:
        """Return all input cells along the reduced axes for each output cell."""
        kept, places = self._remaining_axes(shapes[i]), coordinates(out, shapes.out)
        low = np.zeros((len(out), len(shapes[i])), dtype=np.int64)
        high = np.tile(np.asarray(shapes[i], dtype=np.int64), (len(out), 1))
        low[:, kept], high[:, kept] = places, places + 1
        return Reach(*boxes(low, high, shapes[i]))

    def map_f(self, ins: Ids, shapes: Shapes, i: int = 0) -> Ids:
        """Return the one output cell that each input cell is reduced to."""
        return numbers(coordinates(ins, shapes[i])[:, self._remaining_axes(shapes[i])], shapes.out)

    def _remaining_axes(self, shape: Shape) -> list[int]:
        gone = range(len(shape)) if self.axes is None else [axis % len(shape) for axis in self.axes]
        return [axis for axis in range(len(shape)) if axis not in gone]
