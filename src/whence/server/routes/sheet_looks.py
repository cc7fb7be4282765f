"""Routes that search and summarise a sheet: doubts, edits, texts, sums, distinct values, the history of a cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import Query

from whence.server.access import access
from whence.server.routers import new_router
from whence.server.routes.sheets import OpenSheets, Where
from whence.server.values import to_json
from whence.wire.sheet_looks import (
    IdenticalCells,
    SheetCellHistory,
    SheetCellStep,
    SheetClusters,
    SheetDensityView,
    SheetPlace,
    SheetSummary,
    SheetValue,
    SheetValues,
)

if TYPE_CHECKING:
    from whence.notebook.sheet.distinct import ValueCount
    from whence.workspace.sheet_look import FoundCell

router = new_router()

Row = Annotated[int | None, Query(ge=0, le=2**62)]
Key = Annotated[str, Query(max_length=1000)]
Direction = Literal["next", "previous"]
MOST_CLUSTERS = 200


@router.get("/api/sheets/{sheet}/density")
@access("session")
def read_sheet_density(
    sheets: OpenSheets, sheet: str, buckets: Annotated[int, Query(ge=1, le=2000)] = 400, where: Where = None
) -> SheetDensityView:
    """Count the doubtful and the edited cells in each of equal stretches of the rows."""
    opened = sheets.find(sheet)
    with opened.lock:
        look = opened.sheet.look(where)
        found = look.density(buckets)
        return SheetDensityView(rows=look.count, starts=found.starts, doubts=found.doubts, edits=found.edits)


@router.get("/api/sheets/{sheet}/next-doubt")
@access("session")
def find_sheet_doubt(
    sheets: OpenSheets,
    sheet: str,
    row: Row = None,
    column: str | None = None,
    direction: Direction = "next",
    where: Where = None,
) -> SheetPlace | None:
    """Return the next (or previous) doubtful cell in reading order; after the last comes the first, null if none."""
    opened = sheets.find(sheet)
    with opened.lock:
        return _place(opened.sheet.look(where).next_doubt(row, column, direction))


@router.get("/api/sheets/{sheet}/find")
@access("session")
def find_sheet_text(
    sheets: OpenSheets,
    sheet: str,
    text: Annotated[str, Query(max_length=10_000)],
    row: Row = None,
    column: str | None = None,
    direction: Direction = "next",
    where: Where = None,
) -> SheetPlace | None:
    """Return the nearest cell that shows a text, whatever its capitals; null if there is none."""
    opened = sheets.find(sheet)
    with opened.lock:
        return _place(opened.sheet.look(where).find(text, row, column, direction))


@router.get("/api/sheets/{sheet}/summary")
@access("session")
def sum_up(
    sheets: OpenSheets,
    sheet: str,
    column: Annotated[list[str], Query(max_length=10_000)],
    start: Annotated[int, Query(ge=0, le=2**62)] = 0,
    stop: Row = None,
    where: Where = None,
) -> SheetSummary:
    """Count and add up the cells of rows start..stop-1 in these columns."""
    opened = sheets.find(sheet)
    with opened.lock:
        look = opened.sheet.look(where)
        found = look.summary(start, look.count if stop is None else stop, column)
    return SheetSummary(
        filled=found.filled,
        numbers=found.numbers,
        sum=to_json(found.sum),
        average=to_json(found.average),
        min=to_json(found.min),
        max=to_json(found.max),
    )


@router.get("/api/sheets/{sheet}/history")
@access("session")
def read_sheet_history(sheets: OpenSheets, sheet: str, row: Key, column: str) -> SheetCellHistory:
    """Return what was done to one cell, step by step. The row is named by its key."""
    opened = sheets.find(sheet)
    with opened.lock:
        steps = opened.sheet.history(row, column)
    return SheetCellHistory(
        steps=[
            SheetCellStep(number=step.number, sentence=step.sentence, value=to_json(step.value), formula=step.formula)
            for step in steps
        ]
    )


@router.get("/api/sheets/{sheet}/identical")
@access("session")
def count_identical(sheets: OpenSheets, sheet: str, row: Key, column: str) -> IdenticalCells:
    """Count the cells that `apply_to_identical` would change."""
    opened = sheets.find(sheet)
    with opened.lock:
        return IdenticalCells(count=opened.sheet.identical(row, column))


@router.get("/api/sheets/{sheet}/values")
@access("session")
def read_sheet_values(
    sheets: OpenSheets,
    sheet: str,
    column: str,
    limit: Annotated[int, Query(ge=1, le=2000)] = 200,
    text: Annotated[str, Query(max_length=1000)] = "",
    where: Where = None,
) -> SheetValues:
    """Return the values of a column with their counts, the most frequent first; with `text`, those that contain it."""
    opened = sheets.find(sheet)
    with opened.lock:
        found = opened.sheet.look(where).values(column, limit, text)
    return SheetValues(values=[_counted(each) for each in found.values], distinct=found.count)


@router.get("/api/sheets/{sheet}/clusters")
@access("session")
def find_clusters(
    sheets: OpenSheets,
    sheet: str,
    column: str,
    method: Literal["fingerprint", "ngram", "phonetic", "distance"] = "fingerprint",
    where: Where = None,
) -> SheetClusters:
    """Return groups of values of a column that are probably the same."""
    opened = sheets.find(sheet)
    with opened.lock:
        found = opened.sheet.look(where).clusters(column, method)
    return SheetClusters(clusters=[[_counted(each) for each in group] for group in found[:MOST_CLUSTERS]])


def _counted(value: ValueCount) -> SheetValue:
    return SheetValue(text=value.text, count=value.count)


def _place(found: FoundCell | None) -> SheetPlace | None:
    return None if found is None else SheetPlace(row=found.row, column=found.column, wrapped=found.wrapped)
