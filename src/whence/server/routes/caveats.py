"""Routes about caveats: list them, count them, find where they are, acknowledge and revoke them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import numpy as np
from fastapi import Depends, Query, Request

from whence.caveats.merge_groups import group_id
from whence.model.caveat import CaveatGroup
from whence.model.errors import UserError
from whence.server.access import access
from whence.server.events import Events
from whence.server.overview import CaveatCounts, Overview
from whence.server.routers import new_router
from whence.server.routes.cell import caveat_summary
from whence.server.wiring import WholeWorkspace, find
from whence.wire.caveats import (
    AcknowledgeCaveats,
    CaveatCount,
    CaveatDensity,
    CaveatImpact,
    CaveatList,
    CaveatOverview,
    CaveatsEverywhere,
    ColumnCount,
    ListedCaveats,
    RevokeCaveats,
)
from whence.wire.datasets import DatasetVersion

if TYPE_CHECKING:
    from whence.workspace.dataset import Dataset

router = new_router()

Version = Annotated[int | None, Query(ge=1, le=2**31)]
Since = Annotated[str | None, Query(max_length=500)]


def _overview(request: Request) -> Overview:
    return Overview(request.app.state.workspace, request.app.state.notebooks)


OverviewOfApp = Annotated[Overview, Depends(_overview)]
CHUNK = 1 << 18
"""How many rows of doubt flags are read at a time, so that memory does not grow with the dataset."""


@router.get("/api/datasets/{name:path}/caveats")
@access("session")
def list_caveats(
    workspace: WholeWorkspace,
    name: str,
    column: str | None = None,
    row: Annotated[int | None, Query(ge=0, le=2**62)] = None,
    version: Version = None,
) -> CaveatList:
    """Return the caveats behind a dataset, a row, a column or a cell, in groups."""
    return _listed(find(workspace, name, version), row, column)


@router.post("/api/datasets/{name:path}/caveats/acknowledge")
@access("session")
def acknowledge_caveats(
    request: Request, workspace: WholeWorkspace, overview: OverviewOfApp, name: str, asked: AcknowledgeCaveats
) -> CaveatList:
    """Acknowledge caveats. They stay listed and flag nothing any more, in every dataset they reach."""
    dataset = find(workspace, name, asked.version)
    group = _group(dataset, asked.group, overview, asked.since)
    dataset.caveats.acknowledge(group if asked.places is None else _only(group, asked.places), asked.note)
    _tell(request, dataset)
    return _listed(dataset)


@router.post("/api/datasets/{name:path}/caveats/revoke")
@access("session")
def revoke_caveats(
    request: Request, workspace: WholeWorkspace, overview: OverviewOfApp, name: str, asked: RevokeCaveats
) -> CaveatList:
    """Take back an acknowledgement, so that the caveats flag cells and rows again."""
    dataset = find(workspace, name, asked.version)
    dataset.caveats.revoke(_group(dataset, asked.group, overview, asked.since))
    _tell(request, dataset)
    return _listed(dataset)


@router.get("/api/datasets/{name:path}/caveats/impact")
@access("session")
def read_impact(
    workspace: WholeWorkspace,
    overview: OverviewOfApp,
    name: str,
    group: str,
    version: Version = None,
    since: Since = None,
) -> CaveatImpact:
    """Count the cells and rows of a dataset that a group of caveats may have changed."""
    dataset = find(workspace, name, version)
    impact = dataset.caveats.impact(_group(dataset, group, overview, since))
    return CaveatImpact(
        name=dataset.name,
        version=dataset.version,
        columns=[ColumnCount(column=column, cells=cells) for column, cells in impact.by_column],
        rows=impact.rows,
        may_miss_rows=impact.may_miss_rows,
        all_rows=dataset.count,
    )


@router.get("/api/caveats")
@access("session")
def list_all_caveats(overview: OverviewOfApp, since: Since = None) -> CaveatOverview:
    """Return every group of caveats behind the current datasets, with the datasets that each group reaches.

    With `since`, such as `dataset:prices@1` or `notebook:tour@12`, only the caveats that came after that version.
    """
    looked = overview.looked_at(since)
    return CaveatOverview(
        groups=[_everywhere(id, *found) for id, found in overview.find(since, looked).items()], datasets=len(looked)
    )


@router.get("/api/caveats/count")
@access("session")
def count_caveats(request: Request, workspace: WholeWorkspace) -> CaveatCount:
    """Count the caveats of the workspace that are not acknowledged yet."""
    counts: CaveatCounts = request.app.state.caveat_counts
    return CaveatCount(open=counts.open(workspace.datasets()))


@router.get("/api/datasets/{name:path}/caveat-density")
@access("session")
def read_density(
    workspace: WholeWorkspace,
    name: str,
    buckets: Annotated[int, Query(ge=1, le=2000)] = 400,
    version: Version = None,
) -> CaveatDensity:
    """Count the doubtful cells in each of equal stretches of the rows, for the rail beside a table."""
    dataset = find(workspace, name, version)
    edges = np.linspace(0, dataset.count, min(buckets, max(dataset.count, 1)) + 1).astype(np.int64)
    counts = np.zeros(len(edges) - 1, dtype=np.int64)
    for start in range(0, dataset.count, CHUNK):
        marks = dataset.caveats.marks(start, min(start + CHUNK, dataset.count))
        per_row = np.column_stack([column.to_numpy() for column in marks.columns]).sum(axis=1, dtype=np.int64)
        rows = np.flatnonzero(per_row)
        np.add.at(counts, np.searchsorted(edges, rows + start, side="right") - 1, per_row[rows])
    return CaveatDensity(rows=dataset.count, starts=edges[:-1].tolist(), counts=counts.tolist())


def _tell(request: Request, dataset: Dataset) -> None:
    """Publish that doubt flags of a dataset and its descendants changed, so that other tabs read them again."""
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
                id=group_id(group), acknowledged=group.acknowledged, note=group.note, caveats=caveat_summary(group)
            )
            for group in groups
        ],
    )


def _group(dataset: Dataset, id: str, overview: Overview, since: str | None) -> CaveatGroup:
    """Return a group of caveats by its id; with `since`, only the part of it that is new since that version."""
    if since is None:
        found = next((group for group in dataset.caveats.list() if group_id(group) == id), None)
    else:
        found = overview.find(since).get(id, (None,))[0]
    if found is None:
        raise UserError(f"{dataset.name} has no group of caveats {id}.", "List its caveats again.")
    return found


def _only(group: CaveatGroup, places: list[int]) -> CaveatGroup:
    """Return the group limited to some of its caveats, which are given by their positions among its references."""
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
