"""Routes that return the way back from a cell as a tree, and how many rows a row reaches in both directions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import Query

from whence.model.errors import NotRelated
from whence.server.access import access
from whence.server.routers import new_router
from whence.server.values import to_json
from whence.server.wiring import WholeWorkspace, cell_position, find
from whence.wire.lineage import Reached, RowsReached, WayCell, WayStep
from whence.workspace.served import ServedWorkspace

if TYPE_CHECKING:
    from whence.lineage.way import WayCell as Cell
    from whence.lineage.way import WayStep as Step
    from whence.workspace.dataset import Dataset

router = new_router()

Row = Annotated[int, Query(ge=0, le=2**62)]
Version = Annotated[int | None, Query(ge=1, le=2**31)]


@router.get("/api/datasets/{name:path}/way")
@access("session")
def read_way(
    workspace: WholeWorkspace,
    name: str,
    row: Row,
    column: str,
    most: Annotated[int, Query(ge=1, le=5)] = 3,
    version: Version = None,
) -> WayCell:
    """Return the way back from a cell, step by step, with `most` cells of each column at each step."""
    cell_position(find(workspace, name, version), row, column)
    return _cell(find(workspace, name, version).lineage.way(row, column, most))


@router.get("/api/datasets/{name:path}/reached")
@access("session")
def read_reached(workspace: WholeWorkspace, name: str, row: Row, version: Version = None) -> Reached:
    """Count the rows of each ancestor behind a row, and the rows of each current descendant made from it."""
    dataset = find(workspace, name, version)
    behind = dataset.context.cell_traces.rows(dataset.record, row)
    back = [
        _reached(each, "backward", behind[each.record.id].count)
        for each in ancestors(dataset)
        if each.record.id in behind
    ]
    ahead = [_went_into(dataset, each, row) for each in descendants(workspace, dataset)]
    return Reached(datasets=back + [each for each in ahead if each is not None])


def _cell(cell: Cell) -> WayCell:
    at = cell.cell
    return WayCell(
        dataset=at.dataset,
        version=at.version,
        row=at.row,
        column=at.column,
        value=to_json(at.value),
        line=cell.line,
        is_doubtful=cell.is_doubtful,
        origin=cell.origin,
        inputs=[_step(step) for step in cell.inputs if step.cells],
    )


def _step(step: Step) -> WayStep:
    first = step.cells[0].cell
    return WayStep(
        dataset=first.dataset,
        version=first.version,
        column=first.column,
        role=first.role,
        count=step.count,
        cells=[_cell(cell) for cell in step.cells],
    )


def _went_into(dataset: Dataset, other: Dataset, row: int) -> RowsReached | None:
    try:
        return _reached(other, "forward", dataset.lineage.forward([row], to=other).count)
    except NotRelated:
        return None


def _reached(other: Dataset, direction: Literal["backward", "forward"], count: int) -> RowsReached:
    return RowsReached(name=other.name, version=other.version, direction=direction, count=count, all_rows=other.count)


def ancestors(dataset: Dataset) -> Iterator[Dataset]:
    """Yield every ancestor once, nearest first."""
    seen: set[str] = set()
    level: Sequence[Dataset] = dataset.parents()
    while level:
        fresh = {parent.record.id: parent for parent in level if parent.record.id not in seen}
        seen |= fresh.keys()
        yield from fresh.values()
        level = [grandparent for parent in fresh.values() for grandparent in parent.parents()]


def descendants(workspace: ServedWorkspace, dataset: Dataset) -> Iterator[Dataset]:
    """Yield every current dataset that was made from this version."""
    for each in workspace.datasets():
        if any(ancestor.record.id == dataset.record.id for ancestor in ancestors(each)):
            yield each
