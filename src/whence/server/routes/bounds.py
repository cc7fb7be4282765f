"""Routes that tell between which values cells lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import Query

from whence.server.access import access
from whence.server.routers import new_router
from whence.server.routes.cell import caveat_summary
from whence.server.values import to_json
from whence.server.wiring import WholeWorkspace, cell_position, find
from whence.wire.caveats import BoundWidths, CellBounds, ColumnWidth, WidthPart

if TYPE_CHECKING:
    from whence.workspace.cell_bounds import CellBounds as FoundBounds

router = new_router()


@router.get("/api/datasets/{name:path}/bounds")
@access("session")
def read_bounds(
    workspace: WholeWorkspace,
    name: str,
    row: Annotated[int, Query(ge=0, le=2**62)],
    column: str,
    version: Annotated[int | None, Query(ge=1, le=2**31)] = None,
) -> CellBounds:
    """Return the least and greatest value that a cell can have, given the ranges of caveats.

    Its query may run once more.
    """
    dataset = find(workspace, name, version)
    cell_position(dataset, row, column)
    return _cell_bounds(dataset.caveats.bounds(row, column))


@router.get("/api/datasets/{name:path}/width-parts")
@access("session")
def read_width_parts(
    workspace: WholeWorkspace,
    name: str,
    row: Annotated[int, Query(ge=0, le=2**62)],
    column: str,
    version: Annotated[int | None, Query(ge=1, le=2**31)] = None,
) -> list[WidthPart]:
    """Return the caveats that make the bounds of a cell wide. Its query runs once or twice for each caveat."""
    dataset = find(workspace, name, version)
    cell_position(dataset, row, column)
    return [
        WidthPart(
            caveats=caveat_summary(part.caveats),
            takes=part.takes,
            share=part.share,
            alone=_cell_bounds(part.alone),
            together=_cell_bounds(part.together),
        )
        for part in dataset.caveats.width_parts(row, column)
    ]


@router.get("/api/datasets/{name:path}/widths")
@access("session")
def read_widths(
    workspace: WholeWorkspace,
    name: str,
    at_hand: bool = False,
    version: Annotated[int | None, Query(ge=1, le=2**31)] = None,
) -> BoundWidths:
    """Return how wide the bounds of each column are. With `at_hand`, answer only if no query has to run for that."""
    caveats = find(workspace, name, version).caveats
    if at_hand and not caveats.bounds_at_hand:
        return BoundWidths(is_known=False, columns=[])
    return BoundWidths(is_known=True, columns=[ColumnWidth(**vars(each)) for each in caveats.widths()])


def _cell_bounds(found: FoundBounds) -> CellBounds:
    low, best, high = map(to_json, found)
    return CellBounds(low=low, best=best, high=high, may_be_missing=found.may_be_missing, why=found.why)
