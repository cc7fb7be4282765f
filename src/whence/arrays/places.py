"""Converts between cell numbers and coordinates as users write them: a tuple for each cell."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from whence.arrays.shapes import Ids, Shape, coordinates, numbers
from whence.model.errors import BadInput, UnknownRow

Place = tuple[int, ...]


def to_ids(cells: object, shape: Shape, label: str) -> Ids:
    """Return cell numbers from coordinates, from cell numbers, or from a boolean array of the same shape.

    >>> to_ids([(0, 1), (1, 2)], (2, 3), "raw").tolist()
    [1, 5]
    """
    if isinstance(cells, np.ndarray) and cells.dtype == bool:
        if cells.shape != shape:
            raise BadInput(f"{label} has the shape {shape}, the marks have {cells.shape}.")
        return np.flatnonzero(cells)
    given = list(cells) if isinstance(cells, Iterable) else [cells]
    if not given:
        return np.empty(0, dtype=np.int64)
    if all(isinstance(each, int | np.integer) for each in given):
        return _numbers(np.array(given, dtype=np.int64), shape, label)
    return _of_places(given, shape, label)


def _numbers(ids: Ids, shape: Shape, label: str) -> Ids:
    cells = int(np.prod(shape, dtype=np.int64))
    outside = ids[(ids < 0) | (ids >= cells)]
    if len(outside):
        raise UnknownRow(f"{label} has no cell {outside[0]}.", f"Its cells are 0 to {cells - 1}.")
    return ids


def _of_places(given: list[object], shape: Shape, label: str) -> Ids:
    try:
        places = np.array(given, dtype=np.int64).reshape(len(given), -1)
    except (TypeError, ValueError) as error:
        raise BadInput(f"These are no coordinates of {label}.", f"Give tuples of {len(shape)} numbers.") from error
    if places.shape[1] != len(shape):
        raise BadInput(
            f"{label} has {len(shape)} axes, and {tuple(places[0].tolist())} has {places.shape[1]}.",
            f"Give tuples of {len(shape)} numbers.",
        )
    wrong = np.any((places < 0) | (places >= np.asarray(shape, dtype=np.int64)), axis=1)
    if wrong.any():
        raise UnknownRow(f"{label} has no cell {tuple(places[wrong][0].tolist())}.", f"Its shape is {shape}.")
    return numbers(places, shape)


def to_places(ids: Ids, shape: Shape) -> list[Place]:
    """Return the coordinates of cells as tuples."""
    return [tuple(place) for place in coordinates(ids, shape).tolist()]
