"""The route that returns a page of rows of a dataset, in stored order or sorted and filtered."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

from fastapi import Query

from whence.model.errors import BadInput
from whence.server.access import access
from whence.server.routers import new_router
from whence.server.sample import split_marks
from whence.server.values import table_to_rows
from whence.server.wiring import WorkspaceOfApp, find
from whence.server.written_positions import written_positions
from whence.wire.datasets import Column, Page

if TYPE_CHECKING:
    from whence.workspace.dataset import Dataset

router = new_router()

LARGEST_PAGE = 1000


@router.get("/api/datasets/{name:path}/page")
@access("share")
def read_page(
    workspace: WorkspaceOfApp,
    name: str,
    offset: Annotated[int, Query(ge=0, le=2**62)] = 0,
    limit: Annotated[int, Query(ge=1, le=LARGEST_PAGE)] = 200,
    version: Annotated[int | None, Query(ge=1, le=2**31)] = None,
    sort: Annotated[str | None, Query(max_length=10_000)] = None,
    filter: Annotated[str | None, Query(max_length=100_000)] = None,
    rids: Annotated[str | None, Query(max_length=100_000)] = None,
) -> Page:
    """Return up to `limit` rows from `offset` on, with their ids, doubt flags and file lines; past the end, none.

    `sort` is a JSON list of columns or `[column, "desc"]` pairs. `filter` is a JSON list of `[column, comparison,
    value]`. The server computes such a view once for a dataset version, without Spark. `rids` is a JSON list of the ids
    of at most 1,000 rows to return instead, in that order; ids that do not exist are left out.
    """
    dataset = find(workspace, name, version)
    if rids is not None:
        wanted = [each for each in _json_list("rids", rids) if type(each) is int and 0 <= each < dataset.count]
        return _of_rows(dataset, wanted[:LARGEST_PAGE], 0, len(wanted))
    if sort is None and filter is None:
        return _in_order(dataset, offset, limit)
    return _of_view(dataset, offset, limit, _json_list("sort", sort), _json_list("filter", filter))


def _in_order(dataset: Dataset, offset: int, limit: int) -> Page:
    """Return rows in stored order."""
    start = min(offset, dataset.count)
    stop = min(start + limit, dataset.count)
    rids = list(range(start, stop))
    marks, row_marks = _marks(dataset, start, stop)
    return Page(
        name=dataset.name,
        version=dataset.version,
        offset=start,
        count=dataset.count,
        columns=columns_of(dataset),
        rows=table_to_rows(dataset.rows(start, stop)),
        rids=rids,
        marks=marks,
        row_marks=row_marks,
        written=written_positions(dataset, rids),
        lines=dataset.source_lines(rids),
    )


def _of_view(dataset: Dataset, offset: int, limit: int, sort: list[object], where: list[object]) -> Page:
    """Return rows of a sorted and filtered view."""
    view = dataset.view(sort, where)  # type: ignore[arg-type]  # what is wrong in it is refused by the view
    start = min(offset, view.count)
    return _of_rows(dataset, view.rids(start, min(start + limit, view.count)).tolist(), start, view.count)


def _of_rows(dataset: Dataset, rids: list[int], start: int, count: int) -> Page:
    """Return the rows with these ids, which stand at `start` of a view with `count` rows."""
    marks, row_marks = split_marks(dataset.caveats.marks_of(rids))
    return Page(
        name=dataset.name,
        version=dataset.version,
        offset=start,
        count=count,
        columns=columns_of(dataset),
        rows=table_to_rows(dataset.take(rids)),
        rids=rids,
        marks=marks,
        row_marks=row_marks,
        written=written_positions(dataset, rids),
        lines=dataset.source_lines(rids),
    )


def _marks(dataset: Dataset, start: int, stop: int) -> tuple[list[list[int]], list[bool]]:
    if dataset.caveats.doubt.is_certain:  # no mark anywhere: that is known without reading them
        return [[] for _ in range(start, stop)], [False] * (stop - start)
    return split_marks(dataset.caveats.marks(start, stop))


def columns_of(dataset: Dataset) -> list[Column]:
    """Return the names and types of the columns, from left to right."""
    return [Column(name=field.name, type=field.type) for field in dataset.schema]


def _json_list(name: str, text: str | None) -> list[object]:
    """Parse a query parameter that holds a JSON list. Raise if it does not."""
    if text is None:
        return []
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"The parameter {name} is not JSON.", 'Give a list, such as [["price", "desc"]].') from error
    if not isinstance(given, list):
        raise BadInput(f"The parameter {name} is not a list.", 'Give a list, such as [["price", "desc"]].')
    return [tuple(each) if isinstance(each, list) else each for each in given]
