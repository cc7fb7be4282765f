"""Finds the windows and subqueries whose rows contribute to cells of the result."""

from __future__ import annotations

from collections.abc import Iterable

from whence.plan.columnmap import ColumnMap, readings
from whence.plan.expr import Column, Expr


def shown_readings(columns: ColumnMap, shown: Iterable[Column]) -> frozenset[Expr]:
    """Return the readings behind columns of the result; a reading that only a filter uses is left out."""
    uses = (use for column in shown for use in columns.values.get(column.id, ()))
    return readings(uses)
