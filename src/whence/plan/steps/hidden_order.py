"""Puts a LIMIT or OFFSET where it sees an order that the query does not show: `select k from t order by x limit 1`."""

from __future__ import annotations

from collections.abc import Callable

from whence.plan.expr import ref
from whence.plan.step import Step
from whence.plan.steps.project import Project


def put_over_order(rows: Step, put: Callable[[Step], Step]) -> Step:
    """Put a LIMIT or OFFSET over rows that also show the keys of their order, and leave these keys out above it."""
    ordered = rows.with_order_shown()
    if ordered is None or ordered.columns == rows.columns:
        return put(rows)
    return Project(put(ordered), tuple(map(ref, rows.columns)))
