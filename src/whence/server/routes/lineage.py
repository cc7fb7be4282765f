"""Answers which rows of another dataset these rows came from, or went into."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whence.server.sample import sample_rows
from whence.server.wiring import OpenWorkspace, find_open
from whence.wire.datasets import DatasetVersion
from whence.wire.lineage import Graph, GraphEdge, GraphNode, TracedRows, TraceRows

if TYPE_CHECKING:
    from whence.workspace.dataset import Dataset


def trace_rows(workspace: OpenWorkspace, name: str, asked: TraceRows) -> TracedRows:
    """Follow rows backward to an ancestor or forward to a descendant: how many there are, and the first of them."""
    dataset = find_open(workspace, name, asked.version)
    follow = dataset.lineage.backward if asked.direction == "backward" else dataset.lineage.forward
    rows = asked.rows if asked.where is None else None
    found = follow(rows, to=asked.to, where=asked.where, path=asked.path, influence=asked.influence)
    target = workspace[found.record.label]
    first = found.selection.page(asked.offset, min(asked.offset + asked.limit, found.count)).tolist()
    return TracedRows(
        dataset=target.name,
        version=target.version,
        exact=dataset.lineage.exact,
        count=found.count,
        offset=asked.offset,
        rows=sample_rows(target, first, found.count),
    )


def read_graph(workspace: OpenWorkspace) -> Graph:
    """Every current dataset and all it was made from, as a graph of dataset versions."""
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
