"""Answers what is doubtful in a dataset, where the doubts lie, and takes acknowledgements."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import numpy as np
from fastapi import Query, Request

from whence.model.caveat import CaveatGroup
from whence.model.errors import UserError
from whence.server.events import Events
from whence.server.models import (
    AcknowledgeCaveats,
    CaveatDensity,
    CaveatImpact,
    CaveatList,
    CaveatOverview,
    CaveatsEverywhere,
    ColumnCount,
    DatasetVersion,
    ListedCaveats,
    RevokeCaveats,
)
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


def list_all_caveats(workspace: OpenWorkspace) -> CaveatOverview:
    """Every group of caveats behind any current dataset, with the datasets each reaches."""
    found: dict[str, tuple[CaveatGroup, list[Dataset]]] = {}
    datasets = list(workspace.datasets())
    for dataset in datasets:
        for group in dataset.caveats.list():
            known, reaches = found.setdefault(_id(group), (group, []))
            if dataset not in reaches:
                reaches.append(dataset)
            if group.count > known.count:  # nearer to where they arose, more of them are seen
                found[_id(group)] = (group, reaches)
    return CaveatOverview(
        groups=[_everywhere(id, group, reaches) for id, (group, reaches) in found.items()], datasets=len(datasets)
    )


def read_impact(workspace: OpenWorkspace, name: str, group: str, version: Version = None) -> CaveatImpact:
    """How many cells and rows of a dataset a group of caveats may have changed."""
    dataset = find_open(workspace, name, version)
    impact = dataset.caveats.impact(_group(dataset, group))
    return CaveatImpact(
        name=dataset.name,
        version=dataset.version,
        columns=[ColumnCount(column=column, cells=cells) for column, cells in impact.by_column],
        rows=impact.rows,
        may_miss_rows=impact.may_miss_rows,
        all_rows=dataset.count,
    )


def acknowledge_caveats(request: Request, workspace: OpenWorkspace, name: str, asked: AcknowledgeCaveats) -> CaveatList:
    """Take caveats upon oneself: they stay listed and no longer mark, here and in all they reach."""
    dataset = find_open(workspace, name, asked.version)
    group = _group(dataset, asked.group)
    dataset.caveats.acknowledge(group if asked.places is None else _only(group, asked.places), asked.note)
    _tell(request, dataset)
    return _listed(dataset)


def revoke_caveats(request: Request, workspace: OpenWorkspace, name: str, asked: RevokeCaveats) -> CaveatList:
    """Doubt again what was acknowledged."""
    dataset = find_open(workspace, name, asked.version)
    dataset.caveats.revoke(_group(dataset, asked.group))
    _tell(request, dataset)
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


def _tell(request: Request, dataset: Dataset) -> None:
    """Marks changed, here and in all that was made from it: other tabs look again."""
    events: Events = request.app.state.events
    events.publish("caveats.changed", {"dataset": dataset.name})


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


def _only(group: CaveatGroup, places: list[int]) -> CaveatGroup:
    """Some caveats of a group, by their positions among its references."""
    if not places or min(places) < 0 or max(places) >= len(group.references):
        raise UserError("These are no places of the group of caveats.", "Count from 0 in its list of references.")
    return replace(group, places=[group.places[place] for place in places])


def _everywhere(id: str, group: CaveatGroup, reaches: list[Dataset]) -> CaveatsEverywhere:
    first = group.references[0]
    return CaveatsEverywhere(
        id=id,
        acknowledged=group.acknowledged,
        note=group.note,
        raised_in=DatasetVersion(name=first.dataset, version=first.version),
        caveats=caveat_summary(group),
        reaches=[DatasetVersion(name=each.name, version=each.version) for each in reaches],
    )


def _id(group: CaveatGroup) -> str:
    """The same for the same group each time it is listed, whichever dataset it is listed for."""
    parts = (group.dataset, group.family, group.made_by, group.column, group.acknowledged)
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:20]
