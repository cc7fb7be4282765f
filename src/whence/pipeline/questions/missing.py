"""Explains why a record is not in the result: which operation dropped it, why, and how many others with it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from whence.pipeline.operation import Operation
from whence.pipeline.step import PipelineStep
from whence.pipeline.table_states import NO_ID
from whence.pipeline.trail import Trail


@dataclass(frozen=True)
class WhyMissing:
    """What became of a record. `operation` is None if it is in the result, as the rows `rows`."""

    record: int
    operation: Operation | None
    reason: str
    others: int
    """How many other records the same operation dropped."""
    rows: tuple[int, ...] = ()

    def __str__(self) -> str:
        if self.operation is None:
            return f"Record {self.record} is there, as row {', '.join(map(str, self.rows))}."
        too = f"; {self.others} others too" if self.others else ""
        return f"Dropped by step {self.operation.number} ({self.operation.kind}), because {self.reason}{too}."


def why_missing(trail: Trail, record: int) -> WhyMissing:
    """Return which operation dropped a record and why, or the rows of the result it is in."""
    died = int(trail.deaths[record])
    if died == NO_ID:
        last = trail.records[trail.home(len(trail.steps))]
        rows = np.flatnonzero(last[trail.result_rows] == record)
        return WhyMissing(record, None, "", 0, tuple(rows.tolist()))
    step = trail.steps[died]
    others = int((trail.deaths == died).sum()) - 1
    return WhyMissing(record, step.operation, _reason(trail, step, record), others)


def _reason(trail: Trail, step: PipelineStep, record: int) -> str:
    row = np.array([trail.row_of(record, step.index)], dtype=np.int64)
    row_filter = step.plan.row_filter
    if row_filter is None:
        return step.plan.new_rows.drops if step.plan.new_rows is not None else "it was not carried on"
    values = {name: trail.values(step.index, name, row)[0] for name in row_filter.tested}
    if row_filter.drops == "missing":
        empty = [name for name, value in values.items() if value is None]
        return f"{_and(empty)} {'is' if len(empty) == 1 else 'are'} null"
    if row_filter.drops == "mostly missing":
        return row_filter.words
    if row_filter.drops == "repeated":
        return f"it repeats record {_first_like(trail, step, int(row[0]))}"
    if row_filter.drops == "not drawn":
        drawn = ", ".join(f"{name} = {value}" for name, value in values.items())
        return f"it was not drawn{f' ({drawn})' if drawn else ''}"
    shown = ", ".join(f"{name} = {'null' if value is None else value}" for name, value in values.items())
    return f"{row_filter.words} does not hold ({shown})"


def _first_like(trail: Trail, step: PipelineStep, row: int) -> int:
    """Return the first kept record that equals this one in every tested column."""
    same = trail.alive(step.index + 1).copy()
    for name in step.plan.row_filter.tested if step.plan.row_filter is not None else ():
        values = trail.column(step.index, name)
        own = values[row].as_py()
        candidates = np.flatnonzero(same)
        found = values.take(candidates).to_pylist()
        same[candidates] = [_equal(each, own) for each in found]
    first = int(np.flatnonzero(same)[0])
    return int(trail.records[trail.home(step.index)][first])


def _equal(one: object, other: object) -> bool:
    # Only NaN differs from itself; Spark puts all NaN into one group.
    both_nan = one != one and other != other
    return one == other or both_nan


def _and(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
