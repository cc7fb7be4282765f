"""Reads chosen rows of a dataset with their marks and file lines, touching as few row ranges as it can."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from whence.server.values import table_to_rows
from whence.wire.datasets import RowSample

if TYPE_CHECKING:
    from whence.workspace.dataset import Dataset

WIDEST_GAP = 1000
"""The widest gap between two rows of one read: reading up to this many unneeded rows costs less than a second read."""


def sample_rows(dataset: Dataset, rids: Sequence[int], count: int) -> RowSample:
    """Return these rows (sorted ids) of a dataset with values, doubt flags and file lines. `count` is the total."""
    pieces = [
        (dataset.rows(start, stop).take(inside), dataset.caveats.marks(start, stop).take(inside))
        for start, stop, inside in _ranges(rids)
    ]
    marks, row_marks = split_marks(pa.concat_tables([m for _, m in pieces])) if pieces else ([], [])
    return RowSample(
        columns=list(dataset.schema.names),
        rids=list(rids),
        values=table_to_rows(pa.concat_tables([values for values, _ in pieces])) if pieces else [],
        lines=dataset.source_lines(rids),
        marks=marks,
        row_marks=row_marks,
        count=count,
    )


def split_marks(marks: pa.Table) -> tuple[list[list[int]], list[bool]]:
    """Return the positions of the doubtful columns of each row, and the doubt flags of whole rows (the last column)."""
    *columns, row_marks = (column.to_pylist() for column in marks.columns)
    positions: list[list[int]] = [[] for _ in row_marks]
    for position, column in enumerate(columns):
        for row, marked in enumerate(column):
            if marked:
                positions[row].append(position)
    return positions, row_marks


def _ranges(rids: Sequence[int]) -> Iterator[tuple[int, int, list[int]]]:
    """Split sorted ids where the gap is wide: start, stop, and each id's place inside.

    >>> list(_ranges([3, 5, 9000]))
    [(3, 6, [0, 2]), (9000, 9001, [0])]
    """
    group: list[int] = []
    for rid in rids:
        if group and rid - group[-1] > WIDEST_GAP:
            yield group[0], group[-1] + 1, [member - group[0] for member in group]
            group = []
        group.append(rid)
    if group:
        yield group[0], group[-1] + 1, [member - group[0] for member in group]
