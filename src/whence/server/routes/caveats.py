"""Answers what is doubtful in a dataset, where the doubts lie, and takes acknowledgements."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Annotated

import numpy as np
from fastapi import Query

from whence.model.caveat import CaveatGroup
from whence.model.errors import UserError
from whence.server.models import AcknowledgeCaveats, CaveatDensity, CaveatList, ListedCaveats, RevokeCaveats
from whence.server.routes.cell import caveat_summary
from whence.server.wiring import OpenWorkspace, find_open

if TYPE_CHECKING:
    from whence.workspace.dataset import Dataset

Version = Annotated[int | None, Query(ge=1, le=2**31)]
CHUNK = 1 << 18
"""Marks are counted this many rows at a time."""


def list_caveats(
    workspace: OpenWorkspace,
    name: str,
    column: str | None = None,
    row: Annotated[int | None, Query(ge=0, le=2**62)] = None,
    version: Version = None,
) -> CaveatList:
    """The caveats behind a dataset, a row, a column or a cell, in groups."""
    return _listed(find_open(workspace, name, version), row, column)


def acknowledge_caveats(workspace: OpenWorkspace, name: str, asked: AcknowledgeCaveats) -> CaveatList:
    """Take a group of caveats upon oneself: they stay listed and no longer mark, here and in all they reach."""
    dataset = find_open(workspace, name, asked.version)
    dataset.caveats.acknowledge(_group(dataset, asked.group), asked.note)
    return _listed(dataset)


def revoke_caveats(workspace: OpenWorkspace, name: str, asked: RevokeCaveats) -> CaveatList:
    """Doubt again what was acknowledged."""
    dataset = find_open(workspace, name, asked.version)
    dataset.caveats.revoke(_group(dataset, asked.group))
    return _listed(dataset)


def read_density(
    workspace: OpenWorkspace,
    name: str,
    buckets: Annotated[int, Query(ge=1, le=2000)] = 400,
    version: Version = None,
) -> CaveatDensity:
    """How many doubtful cells lie in each of equal stretches of the rows: the rail beside a table."""
    dataset = find_open(workspace, name, version)
    edges = np.linspace(0, dataset.count, min(buckets, max(dataset.count, 1)) + 1).astype(np.int64)
    counts = np.zeros(len(edges) - 1, dtype=np.int64)
    for start in range(0, dataset.count, CHUNK):
        marks = dataset.caveats.marks(start, min(start + CHUNK, dataset.count))
        per_row = np.column_stack([column.to_numpy() for column in marks.columns]).sum(axis=1, dtype=np.int64)
        rows = np.flatnonzero(per_row)
        np.add.at(counts, np.searchsorted(edges, rows + start, side="right") - 1, per_row[rows])
    return CaveatDensity(rows=dataset.count, starts=edges[:-1].tolist(), counts=counts.tolist())


def _listed(dataset: Dataset, row: int | None = None, column: str | None = None) -> CaveatList:
    groups = dataset.caveats.list(row=row, column=column)
    return CaveatList(
        name=dataset.name,
        version=dataset.version,
        row_set=dataset.caveats.row_set,
        groups=[
            ListedCaveats(
                id=_id(group), acknowledged=group.acknowledged, note=group.note, caveats=caveat_summary(group)
            )
            for group in groups
        ],
    )


def _group(dataset: Dataset, id: str) -> CaveatGroup:
    found = next((group for group in dataset.caveats.list() if _id(group) == id), None)
    if found is None:
        raise UserError(f"{dataset.name} has no group of caveats {id}.", "List its caveats again.")
    return found


def _id(group: CaveatGroup) -> str:
    """The same for the same group each time it is listed."""
    parts = (group.dataset, group.family, group.made_by, group.column, group.acknowledged, group.note)
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:20]
