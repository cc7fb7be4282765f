"""Equal bins over numbers, dates and times, counted as values stream by."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from whence.store.numbers import Numbers
from whence.store.plain import plain

MOST_BINS = 20


@dataclass(frozen=True)
class Histogram:
    """`counts[i]` values lie from `edges[i]` up to, not including, `edges[i + 1]`; the last bin includes its end."""

    edges: tuple[object, ...]
    counts: tuple[int, ...]


class Bins:
    """Counts the numbers between two finite ends, both among them."""

    def __init__(self, low: int | float, high: int | float) -> None:
        self._starts = _whole_starts(low, high) if isinstance(low, int) else _even_starts(low, float(high))
        self._high = high
        self._counts = np.zeros(len(self._starts), dtype=np.int64)

    def add(self, numbers: Numbers) -> None:
        """Take numbers in."""
        starts = np.array(self._starts, dtype=numbers.dtype)
        places = np.searchsorted(starts, numbers, side="right") - 1
        self._counts += np.bincount(places, minlength=len(starts))

    def histogram(self, kind: pa.DataType) -> Histogram:
        """The counts, between edges of the column's type."""
        edges = tuple(_edge(number, kind) for number in (*self._starts, self._high))
        return Histogram(edges, tuple(self._counts.tolist()))


def _whole_starts(low: int, high: int | float) -> list[int | float]:
    """Bins of a whole width, so that none holds more numbers than another by chance of rounding."""
    span = int(high) - low + 1
    width = math.ceil(span / MOST_BINS) if span < 1 << 53 else -(-span // MOST_BINS)
    return list(range(low, int(high) + 1, width))


def _even_starts(low: float, high: float) -> list[int | float]:
    # Weighing both ends instead of adding steps: high - low may be more than a double holds.
    shares = (place / MOST_BINS for place in range(MOST_BINS))
    return list(dict.fromkeys(low * (1 - share) + high * share for share in shares))


def _edge(number: int | float, kind: pa.DataType) -> object:
    if pa.types.is_date(kind):
        return plain(pa.scalar(number, pa.int32()).cast(kind))
    if pa.types.is_timestamp(kind):
        return plain(pa.scalar(number, pa.int64()).cast(kind))
    return number
