"""Turns intervals into range columns of one projection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from whence.plan.bounds.bound import Bounds, type_of
from whence.plan.bounds.interval import Interval, NoBounds
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.expr import FALSE, Column, Expr, alias, call, choose, holds, ref
from whence.plan.step import Range


class RangeColumns:
    """Collects the ranges of one projection: those of a column that is handed on stay, any other is computed."""

    def __init__(self, bounds: Bounds, known: Mapping[int, Range], ids: ColumnIdAllocator) -> None:
        self._bounds = bounds
        self._known = known
        self._ids = ids
        self._exprs: dict[Column, Expr] = {}
        self.ranges: dict[int, Range] = {}
        self.reasons: dict[int, str] = {}

    def add_all(self, exprs: Iterable[Expr]) -> None:
        """Add the range of each of these named expressions that users see, or the reason why it has none."""
        for expr in exprs:
            if not expr.output.is_internal:
                self.add(expr)

    def add(self, expr: Expr) -> None:
        """Add the range of a named expression, if its value can be in doubt."""
        value = expr.args[0] if expr.kind == "alias" else expr
        if self._bounds.doubt_of(value) == FALSE:
            return
        try:
            if value.kind == "column" and value.output.id in self._known:
                self.ranges[expr.output.id] = self._hand_on(self._known[value.output.id])
            else:
                self.ranges[expr.output.id] = self._compute(value, self._bounds.of(value))
        except NoBounds as why:
            self.reasons[expr.output.id] = str(why)

    @property
    def exprs(self) -> tuple[Expr, ...]:
        """What to project beside the data."""
        return tuple(self._exprs.values())

    def _hand_on(self, known: Range) -> Range:
        self._exprs |= {column: ref(column) for column in known.columns}
        return known

    def _compute(self, value: Expr, interval: Interval) -> Range:
        """The ends of a value that is not in doubt are the value itself."""
        kind = interval.type or type_of(value)
        low = self._name("low", kind, choose(interval.doubt, interval.low, value))
        high = self._name("high", kind, choose(interval.doubt, interval.high, value))
        missing = choose(interval.doubt, holds(interval.missing), call("isnull", value))
        return Range(low, high, self._name("missing", "boolean", missing), is_never_missing=interval.is_never_missing)

    def _name(self, purpose: str, type_name: str, expr: Expr) -> Column:
        column = self._ids.column(purpose, type_name, nullable=True)
        self._exprs[column] = alias(expr, column)
        return column
