"""The shapes of an operator's inputs and output, and the conversion between cell numbers and coordinates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt

Ids = npt.NDArray[np.int64]
Shape = tuple[int, ...]


@dataclass(frozen=True)
class Shapes:
    """`shapes[i]` is the shape of input i, `shapes.out` that of the output; rows of a table have the shape (rows,)."""

    inputs: tuple[Shape, ...]
    out: Shape

    def __getitem__(self, number: int) -> Shape:
        return self.inputs[number]

    def __iter__(self) -> Iterator[Shape]:
        return iter(self.inputs)

    def __len__(self) -> int:
        return len(self.inputs)

    @property
    def cells(self) -> int:
        """The number of cells of the output."""
        return prod(self.out)

    def cells_of(self, number: int) -> int:
        """Return the number of cells of an input."""
        return prod(self.inputs[number])


def coordinates(ids: Ids, shape: Shape) -> Ids:
    """Return one line of coordinates for each cell number.

    >>> coordinates(np.array([0, 5]), (2, 3)).tolist()
    [[0, 0], [1, 2]]
    """
    if not shape:
        return np.zeros((len(ids), 0), dtype=np.int64)
    return np.stack(np.unravel_index(ids, shape), axis=1).astype(np.int64, copy=False)


def numbers(places: Ids, shape: Shape) -> Ids:
    """Return the cell number of each line of coordinates.

    >>> numbers(np.array([[0, 0], [1, 2]]), (2, 3)).tolist()
    [0, 5]
    """
    if not shape:
        return np.zeros(len(places), dtype=np.int64)
    found: Ids = np.ravel_multi_index(tuple(places.T), shape).astype(np.int64, copy=False)
    return found


def as_ids(cells: object) -> Ids:
    """Return a flat array of cell numbers from one number, an iterable or an array of any shape."""
    if isinstance(cells, Iterable) and not isinstance(cells, np.ndarray):
        cells = list(cells)
    return np.atleast_1d(np.asarray(cells, dtype=np.int64)).ravel()
