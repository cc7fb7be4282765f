"""Histograms with equal bins over numbers, dates and times, counted in one pass."""

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
    """A histogram: `counts[i]` values are in [`edges[i]`, `edges[i + 1]`). The last bin includes its upper edge."""

    edges: tuple[object, ...]
    counts: tuple[int, ...]


class Bins:
    """Counts of the numbers between two finite bounds, inclusive."""

    def __init__(self, low: int | float, high: int | float) -> None:
        self._starts = _whole_starts(low, high) if isinstance(low, int) else _even_starts(low, float(high))
        self._high = high
        self._counts = np.zeros(len(self._starts), dtype=np.int64)

    def add(self, numbers: Numbers) -> None:
        """Add numbers."""
        starts = np.array(self._starts, dtype=numbers.dtype)
        places = np.searchsorted(starts, numbers, side="right") - 1
        self._counts += np.bincount(places, minlength=len(starts))

    def histogram(self, kind: pa.DataType) -> Histogram:
        """Return the counts, with edges of the column's type."""
        edges = tuple(_edge(number, kind) for number in (*self._starts, self._high))
        return Histogram(edges, tuple(self._counts.tolist()))


def _whole_starts(low: int, high: int | float) -> list[int | float]:
    """Return starts of bins with an integer width, so that rounding gives no bin more integers than another."""
    span = int(high) - low + 1
    # Beyond 2**53 a double no longer holds every integer, so the division is done in integers.
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
