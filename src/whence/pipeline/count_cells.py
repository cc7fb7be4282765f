"""Counts the rows and cells that a step of a pipeline touched and changed."""

from __future__ import annotations

from whence.pipeline.operation import Counts
from whence.pipeline.row_crossings import RowCrossings
from whence.pipeline.step import PipelineStep


def count_cells(rows: RowCrossings, step: PipelineStep) -> Counts:
    """Count the rows before and after a step, the cells it wrote and those it changed."""
    before, after = int(rows.alive(step.index).sum()), int(rows.alive(step.index + 1).sum())
    written = step.plan.written
    if step.makes_new_rows:
        return _count_new_rows(rows, step, before, after)
    changed = sum(int(rows.changed(step, name).sum()) for name in written)
    return Counts(before, after, changed, after * len(written))


def _count_new_rows(rows: RowCrossings, step: PipelineStep, before: int, after: int) -> Counts:
    new = int(rows.crossing(rows.home(step.index)).is_new.sum())
    columns = len(step.after)
    new_rows = step.plan.new_rows
    # Only new rows have new cells: rows that continue pass unchanged.
    if new_rows is None or new_rows.adds or not step.plan.written:
        return Counts(before, after, new * columns, new * columns)
    old = after - new
    touched = new * columns + old * len(step.plan.written)
    changed = new * columns
    for name in step.plan.written:
        mask = rows.changed(step, name)
        changed += int((mask & ~rows.crossing(rows.home(step.index)).is_new).sum())
    return Counts(before, after, changed, touched)
