"""How a route reaches the workspace it serves."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from whence.model.errors import UnknownColumn, UnknownRow
from whence.server.handles import DatasetHandle, WorkspaceHandle


def _workspace(request: Request) -> WorkspaceHandle:
    workspace: WorkspaceHandle = request.app.state.workspace
    return workspace


WorkspaceOfApp = Annotated[WorkspaceHandle, Depends(_workspace)]
"""The workspace the app was made for."""


def find(workspace: WorkspaceHandle, name: str, version: int | None) -> DatasetHandle:
    """A dataset by name, at its current version unless another is named."""
    return workspace[name if version is None else f"{name}@{version}"]


def cell_position(dataset: DatasetHandle, row: int, column: str) -> int:
    """Where a column stands, once both row and column are known to exist."""
    position = dataset.schema.position(column)
    if position is None:
        raise UnknownColumn(f"{dataset.name} has no column {column!r}.", f"It has {', '.join(dataset.schema.names)}.")
    if row >= dataset.count:
        raise UnknownRow(f"{dataset.name} has no row {row}.", f"It has {dataset.count} rows, the first is row 0.")
    return position
