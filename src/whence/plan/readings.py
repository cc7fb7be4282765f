"""What windows and subqueries read for cells that come out of a plan."""

from __future__ import annotations

from collections.abc import Iterable

from whence.plan.columnmap import ColumnMap, readings
from whence.plan.expr import Column, Expr


def shown_readings(columns: ColumnMap, shown: Iterable[Column]) -> frozenset[Expr]:
    """What windows read for cells that come out; what decides in a filter alone, or nowhere, is left out."""
    uses = (use for column in shown for use in columns.values.get(column.id, ()))
    return readings(uses)
