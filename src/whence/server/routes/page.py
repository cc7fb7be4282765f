"""Answers what stands in consecutive rows of a dataset."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from whence.server.models import Page
from whence.server.sample import split_marks
from whence.server.values import table_to_rows
from whence.server.wiring import WorkspaceOfApp, find

LARGEST_PAGE = 1000


def read_page(
    workspace: WorkspaceOfApp,
    name: str,
    offset: Annotated[int, Query(ge=0, le=2**62)] = 0,
    limit: Annotated[int, Query(ge=1, le=LARGEST_PAGE)] = 200,
    version: Annotated[int | None, Query(ge=1, le=2**31)] = None,
) -> Page:
    """Up to `limit` rows from `offset` on, with their ids, marks and file lines; past the end, none."""
    dataset = find(workspace, name, version)
    start = min(offset, dataset.count)
    stop = min(start + limit, dataset.count)
    rids = list(range(start, stop))
    marks, row_marks = split_marks(dataset.caveats.marks(start, stop))
    return Page(
        name=dataset.name,
        version=dataset.version,
        offset=start,
        rows=table_to_rows(dataset.rows(start, stop)),
        rids=rids,
        marks=marks,
        row_marks=row_marks,
        lines=dataset.source_lines(rids),
    )
