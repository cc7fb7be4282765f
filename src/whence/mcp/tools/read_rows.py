"""The tool that reads rows of a dataset, in order or sorted and filtered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pydantic import Field

from whence.mcp.answer import Answer
from whence.mcp.arguments import Condition, DatasetName
from whence.mcp.conditions import find_rows, plain_clauses
from whence.mcp.context import ToolContext
from whence.mcp.summary import summary_of
from whence.mcp.tool import Pageable, Tool
from whence.mcp.values import fitting_columns, row_lines, table_heading
from whence.model.errors import UserError
from whence.workspace.checked import checked_column

if TYPE_CHECKING:
    from whence.store.views import SortLike
    from whence.workspace.dataset import Dataset

MOST_ROWS = 50
"""The most rows of a page. Fewer fit if they are wide."""


class ReadRows(Pageable):
    """Which rows, in which order."""

    dataset: DatasetName
    where: Condition = None
    columns: list[str] | None = Field(default=None, description="Only these columns; by default the first that fit.")
    sort: list[str] = Field(default_factory=list, description='Columns to sort by, such as ["year desc", "town"].')


def read_rows(context: ToolContext, asked: ReadRows) -> Answer:
    """Read rows of a dataset, with their row numbers. A question mark follows a doubtful value or row number;
    can_i_trust says why it is in doubt."""
    dataset = context.workspace[asked.dataset]
    rids, total = _page(dataset, asked)
    return table_answer(dataset, rids, asked.columns, asked.more, total)


def table_answer(
    dataset: Dataset, rids: list[int], columns: list[str] | None, start: int, total: int, *remarks: str
) -> Answer:
    """Return rows as a table under a line about the dataset."""
    shown = [checked_column(dataset.record, each) for each in columns or ()] or fitting_columns(dataset)
    found = "" if total == dataset.count else f"{total:,} of them match."
    head = [" ".join(filter(None, [summary_of(dataset), found])), *remarks, table_heading(dataset, shown)]
    return Answer(head, row_lines(dataset, rids, shown) if rids else (), start, total)


def _page(dataset: Dataset, asked: ReadRows) -> tuple[list[int], int]:
    """Return the row ids of one page, and how many rows there are in all."""
    stop = asked.more + MOST_ROWS
    clauses = [] if asked.where is None else plain_clauses(dataset, asked.where)
    if clauses is not None:
        view = dataset.view(sort=list(_keys(asked.sort)), where=clauses)
        return view.rids(asked.more, stop).tolist(), view.count
    if asked.sort:
        raise UserError("Rows that this condition chooses cannot be sorted here.", "Use run_sql with order by.")
    found = find_rows(dataset, asked.where or "")
    return found[asked.more : stop].tolist(), len(found)


def _keys(sort: list[str]) -> Iterator[SortLike]:
    for each in sort:
        column, _, direction = each.rpartition(" ")
        is_direction = bool(column) and direction.lower() in ("asc", "desc")
        yield (column.strip(), direction.lower()) if is_direction else (each, "asc")


TOOL = Tool("read_rows", "Read rows", ReadRows, read_rows)
