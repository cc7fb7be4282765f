"""FastAPI dependencies that give a route its workspace, and helpers that find datasets and cells in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Request

from whence.model.errors import UnknownColumn, UnknownRow
from whence.server.shared import SharedOfRequest, SharedWorkspace
from whence.workspace.served import ReadableWorkspace, ServedWorkspace

if TYPE_CHECKING:
    from whence.workspace.dataset import Dataset


# All of these are asynchronous: FastAPI runs other dependencies in a thread pool, which costs a thread change for each.
async def _workspace(request: Request, shared: SharedOfRequest) -> ReadableWorkspace:
    workspace: ServedWorkspace = request.app.state.workspace
    return workspace if shared is None else SharedWorkspace(shared, workspace.path)


WorkspaceOfApp = Annotated[ReadableWorkspace, Depends(_workspace)]
"""The workspace of the app, or the part of it that the share link of the request shows."""


async def _whole_workspace(request: Request) -> ServedWorkspace:
    workspace: ServedWorkspace = request.app.state.workspace
    return workspace


WholeWorkspace = Annotated[ServedWorkspace, Depends(_whole_workspace)]
"""The whole workspace, for routes that no share link opens."""


def find(workspace: ReadableWorkspace, name: str, version: int | None) -> Dataset:
    """Return a dataset by name, at its current version unless a version is passed."""
    return workspace[name if version is None else f"{name}@{version}"]


def cell_position(dataset: Dataset, row: int, column: str) -> int:
    """Return the position of a column. Raise if the dataset lacks the column or the row."""
    position = dataset.schema.position(column)
    if position is None:
        raise UnknownColumn(f"{dataset.name} has no column {column!r}.", f"It has {', '.join(dataset.schema.names)}.")
    if row >= dataset.count:
        raise UnknownRow(f"{dataset.name} has no row {row}.", f"It has {dataset.count} rows, the first is row 0.")
    return position
