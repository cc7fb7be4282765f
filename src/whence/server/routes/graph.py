"""The route that returns the graph of dataset versions: which was made from which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whence.server.access import access
from whence.server.routers import new_router
from whence.server.wiring import WholeWorkspace
from whence.wire.datasets import DatasetVersion
from whence.wire.lineage import Graph, GraphEdge, GraphNode

if TYPE_CHECKING:
    from whence.workspace.dataset import Dataset

router = new_router()


@router.get("/api/graph")
@access("session")
def read_graph(workspace: WholeWorkspace) -> Graph:
    """Return every current dataset, and all that it was made from, as a graph of dataset versions."""
    nodes: dict[str, Dataset] = {}
    edges: list[GraphEdge] = []
    waiting = list(workspace.datasets())
    while waiting:
        dataset = waiting.pop()
        label = dataset.record.label
        if label in nodes:
            continue
        nodes[label] = dataset
        parents = dataset.parents()
        waiting += parents
        edges += [
            GraphEdge(
                source=DatasetVersion(name=parent.name, version=parent.version),
                target=DatasetVersion(name=dataset.name, version=dataset.version),
            )
            for parent in parents
        ]
    return Graph(nodes=[_node(dataset) for dataset in nodes.values()], edges=edges)


def _node(dataset: Dataset) -> GraphNode:
    record = dataset.record
    return GraphNode(
        name=dataset.name,
        version=dataset.version,
        origin=record.origin,
        text=record.text,
        rows=dataset.count,
        exact=dataset.lineage.exact,
        is_doubtful=not dataset.caveats.doubt.is_certain,
    )
