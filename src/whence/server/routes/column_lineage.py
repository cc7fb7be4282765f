"""The route that returns which columns a column was made from, and which were made from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whence.model.cellref import Role
from whence.model.errors import UnknownColumn
from whence.server.access import access
from whence.server.routers import new_router
from whence.server.routes.way import Version, ancestors, descendants
from whence.server.wiring import WholeWorkspace, find
from whence.wire.lineage import ColumnEdge, ColumnGraph, ColumnNode, ColumnPlace

if TYPE_CHECKING:
    from whence.workspace.dataset import Dataset

router = new_router()

Place = tuple[str, int, str]
Edge = tuple[Place, Place, Role]


@router.get("/api/datasets/{name:path}/column-lineage")
@access("session")
def read_column_lineage(workspace: WholeWorkspace, name: str, column: str, version: Version = None) -> ColumnGraph:
    """Return the columns behind a column, back to what was loaded, and the current columns that were made from it."""
    dataset = find(workspace, name, version)
    if dataset.schema.position(column) is None:
        raise UnknownColumn(f"{name} has no column {column!r}.", f"It has {', '.join(dataset.schema.names)}.")
    behind = [dataset, *ancestors(dataset)]
    known = {_label(each): each for each in behind}
    start = (dataset.name, dataset.version, column)
    edges = _followed(start, [edge for each in behind for edge in _edges(each)], backward=True)
    ahead = {_label(each): each for found in descendants(workspace, dataset) for each in [found, *ancestors(found)]}
    edges += _followed(start, [edge for each in ahead.values() for edge in _edges(each)], backward=False)
    known |= ahead
    places = dict.fromkeys([start, *(place for source, target, _ in edges for place in (source, target))])
    return ColumnGraph(
        nodes=[_node(known[place[:2]], place[2]) for place in places],
        edges=[ColumnEdge(source=_place(source), target=_place(target), role=role) for source, target, role in edges],
    )


def _edges(dataset: Dataset) -> list[Edge]:
    """Return an edge from each input column to each column of the dataset that was made from it."""
    return [
        ((ref.dataset, ref.version, ref.column), (dataset.name, dataset.version, column), ref.role)
        for column in dataset.columns
        for ref in dataset.lineage.column(column)
    ]


def _followed(start: Place, edges: list[Edge], *, backward: bool) -> list[Edge]:
    """Return the edges that can be reached from a column in one direction."""
    leaving: dict[Place, list[tuple[Place, Edge]]] = {}
    for source, target, role in edges:
        here, there = (target, source) if backward else (source, target)
        leaving.setdefault(here, []).append((there, (source, target, role)))
    found: dict[Edge, None] = {}
    seen, waiting = {start}, [start]
    while waiting:
        for there, edge in leaving.get(waiting.pop(), ()):
            found[edge] = None
            if there not in seen:
                seen.add(there)
                waiting.append(there)
    return list(found)


def _label(dataset: Dataset) -> tuple[str, int]:
    return dataset.name, dataset.version


def _place(place: Place) -> ColumnPlace:
    name, version, column = place
    return ColumnPlace(name=name, version=version, column=column)


def _node(dataset: Dataset, column: str) -> ColumnNode:
    field = next(field for field in dataset.schema if field.name == column)
    return ColumnNode(
        name=dataset.name,
        version=dataset.version,
        column=column,
        type=field.type,
        is_doubtful=column in dataset.caveats.doubt.columns,
    )
