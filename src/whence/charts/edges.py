"""The edges of bins: of equal width, or on round numbers by the rule that Vega uses."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Edges:
    """Edges of bins: bin i reaches from start + i * step to start + (i + 1) * step. The last one is closed."""

    start: float
    step: float
    count: int
    slack: float = 0.0
    """Added before rounding down, as Vega does, so that a value a hair below an edge belongs to the bin above."""

    def index(self, number: str) -> str:
        """Return SQL for the bin of a number."""
        place = f"floor(({number} - {self.start!r}D) / {self.step!r}D + {self.slack!r}D)"
        # The largest value lies on the end of the last bin, and belongs to it.
        return f"least(greatest({place}, 0), {self.count - 1})"

    def low(self, index: str) -> str:
        """Return SQL for the start of a bin."""
        return f"({self.start!r}D + {index} * {self.step!r}D)"


def equal_width(low: float, high: float, bins: int) -> Edges:
    """Return `bins` bins of equal width from the smallest value to the largest.

    >>> equal_width(0, 10, 4)
    Edges(start=0.0, step=2.5, count=4, slack=0.0)
    """
    # All values are equal: one bin, and no division by a width of zero.
    if high <= low:
        return Edges(float(low), 1.0, 1)
    return Edges(float(low), (high - low) / bins, bins)


def round_edges(low: float, high: float, most: int = 10, step: float | None = None) -> Edges:
    """Return at most `most` bins on multiples of their width, which is 1, 2 or 5 times a power of ten.

    >>> round_edges(0.3, 9.7, 10)
    Edges(start=0.0, step=1.0, count=10, slack=1e-14)
    """
    span = (high - low) or abs(low) or 1.0
    width = _round_step(span, most) if step is None else step
    digits = 0 if width >= 1 else int(-math.log(width) / math.log(10)) + 1
    start = math.floor(low / width + 10.0 ** (-digits - 1)) * width
    start = start - width if low < start else start
    stop = math.ceil(high / width) * width
    stop = start + width if stop == start else stop
    return Edges(start, width, max(1, round((stop - start) / width)), 1e-14)


def _round_step(span: float, most: int) -> float:
    level = math.ceil(math.log(most) / math.log(10)) if most > 1 else 0
    # Rounded half up, as in JavaScript.
    step = 10.0 ** (math.floor(math.log(span) / math.log(10) + 0.5) - level)
    while math.ceil(span / step) > most:
        step *= 10.0
    for divisor in (5, 2):
        if span / (step / divisor) <= most:
            step /= divisor
    return step
