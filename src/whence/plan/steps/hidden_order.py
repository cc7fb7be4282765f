"""Finds the order of rows below a projection that does not show its keys: `select k from t order by x limit 1`."""

from __future__ import annotations

from collections.abc import Callable

from whence.plan.repeatable import repeats
from whence.plan.step import Step
from whence.plan.steps.project import Project


def put_over_order(rows: Step, put: Callable[[Step], Step]) -> Step:
    """Put a LIMIT or OFFSET over rows, or below a projection of them, where the keys of their order can be seen."""
    if rows.projection is None or not _is_ordered(rows) or not all(map(repeats, rows.projection)):
        return put(rows)
    return Project(put_over_order(rows.inputs[0], put), rows.projection)


def _is_ordered(rows: Step) -> bool:
    return bool(rows.row_order) or (rows.projection is not None and _is_ordered(rows.inputs[0]))
