"""The answer of a map: which cells each asked cell reaches, in one normal form, and the forms users may return."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from whence.arrays.boxes import boxes
from whence.arrays.shapes import Ids, Shape, coordinates
from whence.lineage.lookup import unique_pairs
from whence.model.errors import BadInput

NOBODY = -1
"""Fills a table of answers where a cell reaches fewer cells than others."""


@dataclass(frozen=True)
class Reach:
    """For each asked cell how many cells it reaches (`lengths`), and all of these in order (`ids`)."""

    lengths: Ids
    ids: Ids

    @property
    def owners(self) -> Ids:
        """For each id the place of the asked cell that reaches it."""
        return np.repeat(np.arange(len(self.lengths), dtype=np.int64), self.lengths)

    def deduplicate(self) -> Reach:
        """Return the same answer, sorted and without repeats within each cell."""
        if len(self.ids) < 2:
            return self
        owners = self.owners
        # Boxes and most maps are sorted already; testing costs less than sorting.
        if np.all((self.ids[1:] > self.ids[:-1]) | (owners[1:] != owners[:-1])):
            return self
        owners, ids = unique_pairs(owners, self.ids)
        return Reach(np.bincount(owners, minlength=len(self.lengths)), ids)


def one_each(ids: Ids) -> Reach:
    """Return the answer in which each cell reaches the one at its place in `ids`; -1 reaches nothing.

    >>> one_each(np.array([4, -1])).lengths.tolist()
    [1, 0]
    """
    ids = np.asarray(ids, dtype=np.int64)
    is_there = ids != NOBODY
    return Reach(is_there.astype(np.int64), ids if is_there.all() else ids[is_there])


def everything(count: int, cells: int) -> Reach:
    """Return the answer in which each of `count` cells reaches all cells of the other side."""
    return Reach(np.full(count, cells, dtype=np.int64), np.tile(np.arange(cells, dtype=np.int64), count))


def neighbours(ids: Ids, radius: int | tuple[int, ...], shape: Shape) -> Reach:
    """Return the cells within a radius on every axis; places beyond the edge are left out.

    >>> neighbours(np.array([0]), 1, (3, 3)).ids.tolist()
    [0, 1, 3, 4]
    """
    places = coordinates(np.asarray(ids, dtype=np.int64), shape)
    around = np.broadcast_to(np.asarray(radius, dtype=np.int64), (len(shape),))
    return Reach(*boxes(places - around, places + around + 1, shape))


def as_reach(answer: object, asked: int, cells: int, who: str) -> Reach:
    """Return a map's answer as a Reach, checked; it may be a Reach, (offsets, ids), one id each, or a padded table."""
    found = _read(answer, asked, who)
    if len(found.lengths) != asked or int(found.lengths.sum()) != len(found.ids):
        raise BadInput(
            f"{who} was asked about {asked} cells and answered about {len(found.lengths)}.",
            "Return one entry for each cell that is asked about.",
        )
    if len(found.ids) and (found.ids.min() < 0 or found.ids.max() >= cells):
        wrong = int(found.ids.min() if found.ids.min() < 0 else found.ids.max())
        raise BadInput(f"{who} named cell {wrong}; the cells there are 0 to {cells - 1}.")
    return found


def _read(answer: object, asked: int, who: str) -> Reach:
    if isinstance(answer, Reach):
        return answer
    if isinstance(answer, tuple) and len(answer) == 2:
        offsets, ids = (np.asarray(part, dtype=np.int64) for part in answer)
        return Reach(np.diff(offsets), ids)
    if isinstance(answer, np.ndarray | list):
        table = np.asarray(answer, dtype=np.int64)
        if table.ndim == 1 and len(table) == asked:
            return one_each(table)
        if table.ndim == 2 and len(table) == asked:
            is_there = table != NOBODY
            return Reach(is_there.sum(axis=1), table[is_there])
    raise BadInput(
        f"{who} answered with {type(answer).__name__} of a form that is not known.",
        "Return a Reach, (offsets, ids), one id for each cell, or a table of ids with -1 for nobody.",
    )
