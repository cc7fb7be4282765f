"""Estimates the number of distinct values in 16 kB: HyperLogLog, with the estimator of arXiv 1702.01284."""

from __future__ import annotations

import math

import numpy as np

from whence.store.hashing import Hashes

_BITS = 14
_REGISTERS = 1 << _BITS
_REST = 64 - _BITS

ERROR = 1.04 / math.sqrt(_REGISTERS)
"""The standard error of an estimate, as a share of the true number."""


class DistinctSketch:
    """A HyperLogLog sketch: 14 bits of a hash choose a register, which keeps the longest run of leading zeros."""

    def __init__(self) -> None:
        self._longest = np.zeros(_REGISTERS, dtype=np.uint8)

    def add(self, hashes: Hashes) -> None:
        """Add values by their hashes. A value may be added any number of times."""
        register = (hashes >> np.uint64(_REST)).astype(np.intp)
        rest = hashes & np.uint64((1 << _REST) - 1)
        length = np.frexp(rest.astype(np.float64))[1]  # exact: the rest has fewer bits than a double
        np.maximum.at(self._longest, register, (_REST + 1 - length).astype(np.uint8))

    def estimate(self) -> int:
        """Return the approximate number of distinct values added."""
        counts = np.bincount(self._longest, minlength=_REST + 2)
        total = _REGISTERS * _tau(1 - counts[_REST + 1] / _REGISTERS)
        for count in counts[_REST:0:-1]:
            total = 0.5 * (total + count)
        total += _REGISTERS * _sigma(counts[0] / _REGISTERS)
        return round(_REGISTERS**2 / (2 * math.log(2) * total))


def _sigma(x: float) -> float:
    if x == 1:
        return math.inf
    total, before, weight = x, math.nan, 1.0
    while total != before:
        x, before = x * x, total
        total, weight = total + x * weight, 2 * weight
    return total


def _tau(x: float) -> float:
    if x in (0, 1):
        return 0.0
    total, before, weight = 1 - x, math.nan, 1.0
    while total != before:
        x, before, weight = math.sqrt(x), total, weight / 2
        total -= (1 - x) ** 2 * weight
    return total / 3
