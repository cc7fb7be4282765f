"""The route that finds the next or previous doubtful cell of a dataset."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from fastapi import Query

from whence.server.access import access
from whence.server.routers import new_router
from whence.server.wiring import WorkspaceOfApp, cell_position, find
from whence.wire.datasets import DoubtfulCell

if TYPE_CHECKING:
    from whence.workspace.dataset import Dataset

router = new_router()

CHUNK = 1 << 16
"""How many rows are searched at a time: two row groups of the stored files."""

Direction = Literal["next", "previous"]


@router.get("/api/datasets/{name:path}/next-doubt")
@access("session")
def find_doubt(
    workspace: WorkspaceOfApp,
    name: str,
    row: Annotated[int | None, Query(ge=0, le=2**62)] = None,
    column: str | None = None,
    direction: Direction = "next",
    version: Annotated[int | None, Query(ge=1, le=2**31)] = None,
) -> DoubtfulCell | None:
    """Return the next (or previous) doubtful cell in reading order; after the last comes the first, null if none.

    A doubtful row counts as its first cell. Without `row` and `column` the search starts at the first (or last) cell.
    """
    dataset = find(workspace, name, version)
    if dataset.caveats.doubt.is_certain or not len(dataset.schema):
        return None
    width = len(dataset.schema)
    past_the_end = -1 if direction == "next" else dataset.count * width
    here = past_the_end
    if row is not None and column is not None:
        here = row * width + cell_position(dataset, row, column)
    # Cells are numbered in reading order. If none is ahead, the search starts again from the other end.
    ahead = next(_search(dataset, here, direction), None)
    place = next(_search(dataset, past_the_end, direction), None) if ahead is None else ahead
    if place is None:
        return None
    return DoubtfulCell(row=place // width, column=dataset.schema.names[place % width], wrapped=ahead is None)


def _search(dataset: Dataset, here: int, direction: Direction) -> Iterator[int]:
    """Yield the nearest place (row * width + position) beyond `here` of each chunk of rows that has one."""
    width = len(dataset.schema)
    if direction == "next":
        for start in range((here + 1) // width, dataset.count, CHUNK):
            places = _places(dataset, start, min(start + CHUNK, dataset.count))
            yield from places[places > here][:1].tolist()
    else:
        for stop in range((here + width - 1) // width, 0, -CHUNK):
            places = _places(dataset, max(stop - CHUNK, 0), stop)
            yield from places[places < here][-1:].tolist()


def _places(dataset: Dataset, start: int, stop: int) -> np.ndarray:
    *columns, row_marks = (column.to_numpy() for column in dataset.caveats.marks(start, stop).columns)
    marked = np.column_stack(columns)
    marked[:, 0] |= row_marks
    places: np.ndarray = np.flatnonzero(marked) + start * marked.shape[1]
    return places
