"""Carry a selection from one chart's dataset to another's, through the sources that both share."""

from __future__ import annotations

import numpy as np

from whence.charts.kernels import Ints, Mask
from whence.charts.view import View
from whence.lineage.selection import Selection
from whence.lineage.trace import Trace
from whence.model.dataset import DatasetRecord


def shared_sources(trace: Trace, one: DatasetRecord, other: DatasetRecord) -> list[DatasetRecord]:
    """Return the nearest datasets that both were made from, or the dataset itself if it is the same."""
    mine = {each.id: each for each in (one, *trace.ancestors(one))}
    theirs = {each.id for each in (other, *trace.ancestors(other))}
    common = [each for each in mine.values() if each.id in theirs]
    # Rows that share a row of a source also share that row's own sources, so the nearest ones are enough.
    above = {older.id for each in common for older in trace.ancestors(each)}
    return [each for each in common if each.id not in above]


def carried(trace: Trace, rows: Mask, one: DatasetRecord, other: DatasetRecord, shared: list[DatasetRecord]) -> Mask:
    """Return the rows of the other dataset that come from the same source rows as these, in every shared source."""
    found = np.ones(other.rows, dtype=bool)
    for source in shared:
        chosen = Selection.of_mask(rows)
        if source.id != one.id:
            chosen = trace.backward(one, chosen, source)
        if source.id != other.id:
            chosen = trace.forward(source, chosen, other)
        found &= chosen.mask
    return found


def owner_in(
    trace: Trace, brushed: View, owner: Ints, other: DatasetRecord, shared: list[DatasetRecord]
) -> Ints | None:
    """Return the brushed view's mark of each row of another dataset, or None if a row may have several."""
    if other.id == brushed.data.id:
        return owner
    if len(shared) != 1 or shared[0].id != brushed.data.id:
        return None
    rows, sources = trace.pairs(other, brushed.data)
    marks = owner[sources]
    rows, marks = rows[marks >= 0], marks[marks >= 0]
    found = np.full(other.rows, -1, dtype=np.int32)
    found[rows] = marks
    return found if bool((found[rows] == marks).all()) else None
