"""The route that profiles a column: nulls, distinct and frequent values, range, quantiles, histogram."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from whence.model.errors import UnknownColumn
from whence.server.access import access
from whence.server.routers import new_router
from whence.server.values import to_json
from whence.server.wiring import WholeWorkspace, find
from whence.store.profile import Profile
from whence.wire.datasets import Bucket, ColumnProfile, FrequentValue, Quantile

router = new_router()


@router.get("/api/datasets/{name:path}/profile")
@access("session")
def read_profile(
    workspace: WholeWorkspace,
    name: str,
    column: str,
    version: Annotated[int | None, Query(ge=1, le=2**31)] = None,
) -> ColumnProfile:
    """Return the profile of a column. It is computed at the first request, without Spark."""
    dataset = find(workspace, name, version)
    if column not in dataset.columns:
        raise UnknownColumn(f"{dataset.name} has no column {column!r}.", f"It has {', '.join(dataset.columns)}.")
    return _described(dataset.profile(column))


def _described(profile: Profile) -> ColumnProfile:
    histogram = profile.histogram
    edges = [] if histogram is None else list(histogram.edges)
    counts = [] if histogram is None else list(histogram.counts)
    return ColumnProfile(
        column=profile.column,
        type=profile.type,
        count=profile.count,
        nulls=profile.nulls,
        distinct=profile.distinct,
        distinct_error=profile.distinct_error,
        min=to_json(profile.min),
        max=to_json(profile.max),
        mean=to_json(profile.mean),
        std=to_json(profile.std),
        quantiles=[Quantile(share=share, value=to_json(value)) for share, value in profile.quantiles],
        top=[FrequentValue(value=to_json(value), count=count) for value, count in profile.top],
        histogram=[
            Bucket(low=to_json(low), high=to_json(high), count=count)
            for low, high, count in zip(edges, edges[1:], counts, strict=False)
        ],
    )
