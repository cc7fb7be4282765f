"""Answers how large a dataset is."""

from __future__ import annotations

from whence.server.access import access
from whence.server.routers import new_router
from whence.server.wiring import WorkspaceOfApp, find
from whence.wire.shape import Shape

router = new_router()


@router.get("/api/datasets/{name:path}/shape")
@access("session")
def read_shape(workspace: WorkspaceOfApp, name: str, version: int | None = None) -> Shape:
    """How many rows and columns a dataset has."""
    dataset = find(workspace, name, version)
    return Shape(rows=dataset.count, columns=len(dataset.schema))
