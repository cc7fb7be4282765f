"""The base of crop, pad and slice: the output shows cells of the input at an offset and a stride."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from whence.arrays.operator import Map, Operator, Representation
from whence.arrays.reach import NOBODY
from whence.arrays.shapes import Ids, Shape, Shapes, coordinates, numbers


class StridedView(Operator):
    """An operator whose output place p shows input place start + p * step; places outside the input show none."""

    gives: ClassVar[set[Representation]] = {Map}

    def start_and_step(self, shape: Shape) -> tuple[Ids, Ids]:
        """Return the start and the step along each axis for an input of this shape."""
        raise NotImplementedError

    def covers(self, shapes: Shapes, i: int, *, backward: bool) -> bool | Ids:
        """Return the cells that are shown (backward), or the output cells that show one (forward)."""
        start, step = self.start_and_step(shapes[i])
        places = [a + b * np.arange(size) for a, b, size in zip(start, step, shapes.out, strict=True)]
        is_in = [(each >= 0) & (each < size) for each, size in zip(places, shapes[i], strict=True)]
        if backward:
            return every([each[keep] for each, keep in zip(places, is_in, strict=True)], shapes[i])
        return every([np.flatnonzero(keep) for keep in is_in], shapes.out)

    def map_b(self, out: Ids, shapes: Shapes, i: int = 0) -> Ids:
        """Return the input cell that each output cell shows, or none."""
        start, step = self.start_and_step(shapes[i])
        return numbers_inside(start + coordinates(out, shapes.out) * step, shapes[i])

    def map_f(self, ins: Ids, shapes: Shapes, i: int = 0) -> Ids:
        """Return the output cell that shows each input cell, or none."""
        start, step = self.start_and_step(shapes[i])
        away = coordinates(ins, shapes[i]) - start
        # A cell between two steps is not shown: NOBODY is a place outside of every shape.
        places = np.where(away % step == 0, away // step, NOBODY)
        return numbers_inside(places, shapes.out)


def every(along: list[Ids], shape: Shape) -> Ids:
    """Return the numbers of all cells whose coordinate on each axis is in that axis's list."""
    # Numbers in C order, ((i0 * size1 + i1) * size2 + i2) and so on, for all cells at once.
    ids = np.zeros((), dtype=np.int64)
    for each, size in zip(along, shape, strict=True):
        ids = (ids * size)[..., None] + each
    return ids.ravel()


def numbers_inside(places: Ids, shape: Shape) -> Ids:
    """Return the numbers of the cells at these places; NOBODY for places beyond the edges."""
    is_there = np.all((places >= 0) & (places < np.asarray(shape, dtype=np.int64)), axis=1)
    found = np.full(len(places), NOBODY, dtype=np.int64)
    found[is_there] = numbers(places[is_there], shape)
    return found
