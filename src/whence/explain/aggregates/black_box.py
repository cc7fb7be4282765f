"""A user's own function as an aggregate. Nothing is known about it, so every score calls it: slow, but right."""

from __future__ import annotations

from collections.abc import Callable

from whence.explain.aggregates.aggregate import Aggregate
from whence.explain.arrays import Columns, Floats


class BlackBox(Aggregate):
    """A user's own aggregate. It gets one array per measure and returns a number."""

    name = "user-defined"

    def __init__(self, function: Callable[..., float], arity: int = 1) -> None:
        self.function = function
        self.measures = arity

    def value(self, columns: Columns) -> float:
        rows: tuple[Floats, ...] = columns
        return float(self.function(*rows)) if len(columns[0]) else float("nan")
