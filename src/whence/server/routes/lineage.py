"""The route that traces rows backward to an ancestor or forward to a descendant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whence.server.access import access
from whence.server.routers import new_router
from whence.server.sample import sample_rows
from whence.server.wiring import WholeWorkspace, find
from whence.wire.lineage import TracedRows, TraceRows

if TYPE_CHECKING:
    pass

router = new_router()


@router.post("/api/datasets/{name:path}/trace")
@access("session")
def trace_rows(workspace: WholeWorkspace, name: str, asked: TraceRows) -> TracedRows:
    """Follow rows backward to an ancestor or forward to a descendant. Return how many there are, and the first ones."""
    dataset = find(workspace, name, asked.version)
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
