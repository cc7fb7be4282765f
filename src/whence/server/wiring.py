"""How a route reaches the workspace it serves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Request

from whence.model.errors import UnknownColumn, UnknownRow
from whence.server.shared import SharedOfRequest, SharedWorkspace
from whence.workspace.served import ReadableWorkspace, ServedWorkspace

if TYPE_CHECKING:
    from whence.workspace.dataset import Dataset


# Asynchronous, all of these: what is not runs in a thread, and a request would change threads for each of them.
async def _workspace(request: Request, shared: SharedOfRequest) -> ReadableWorkspace:
    workspace: ServedWorkspace = request.app.state.workspace
    return workspace if shared is None else SharedWorkspace(shared, workspace.path)


WorkspaceOfApp = Annotated[ReadableWorkspace, Depends(_workspace)]
"""The workspace the app was made for, or as much of it as the request may see."""


async def _whole_workspace(request: Request) -> ServedWorkspace:
    workspace: ServedWorkspace = request.app.state.workspace
    return workspace


WholeWorkspace = Annotated[ServedWorkspace, Depends(_whole_workspace)]
"""The workspace with all that it can do; for routes that no share link reaches."""


def find(workspace: ReadableWorkspace, name: str, version: int | None) -> Dataset:
    """A dataset by name, at its current version unless another is named."""
    return workspace[name if version is None else f"{name}@{version}"]


def cell_position(dataset: Dataset, row: int, column: str) -> int:
    """Where a column stands, once both row and column are known to exist."""
    position = dataset.schema.position(column)
    if position is None:
        raise UnknownColumn(f"{dataset.name} has no column {column!r}.", f"It has {', '.join(dataset.schema.names)}.")
    if row >= dataset.count:
        raise UnknownRow(f"{dataset.name} has no row {row}.", f"It has {dataset.count} rows, the first is row 0.")
    return position
