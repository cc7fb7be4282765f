"""Counts the rows and values in which two versions of a dataset differ, for the page that compares notebooks."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from whence.model.errors import UserError
from whence.server.values import to_json
from whence.wire.notebooks import ColumnDifference, RowDifference

if TYPE_CHECKING:
    from whence.workspace.notebook_diff import DatasetChange

MOST_ROWS = 200_000
"""Datasets of more rows are not compared value by value: the page waits for the answer."""


def row_difference(change: DatasetChange) -> RowDifference | None:
    """Return what differs in the rows of a dataset; None if a side is missing, too large, or shares no column."""
    if any(rows is None or rows > MOST_ROWS for rows in change.rows):
        return None
    try:
        found = change.diff
    except UserError:
        return None
    if found is None:
        return None
    columns = []
    for name, cells in groupby(found.changed, key=lambda cell: cell.column):
        first, *others = cells
        columns.append(
            ColumnDifference(
                column=name, count=1 + len(others), before=to_json(first.before), after=to_json(first.after)
            )
        )
    return RowDifference(added=found.added.count, removed=found.removed.count, columns=columns)
