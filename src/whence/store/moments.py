"""Mean and standard deviation of a stream, without summing large squares (Chan's update)."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt


class Moments:
    """Count, mean and spread of the numbers added so far."""

    def __init__(self) -> None:
        self.count = 0
        self._mean = 0.0
        self._squares = 0.0

    def add(self, numbers: npt.NDArray[np.float64]) -> None:
        """Add finite numbers."""
        if not len(numbers):
            return
        # A sum beyond a double becomes infinite. `mean` and `std` are None then.
        with np.errstate(over="ignore", invalid="ignore"):
            mean = float(numbers.mean())
            squares = float(np.square(numbers - mean).sum())
            total = self.count + len(numbers)
            step = np.float64(mean) - self._mean
            self._squares = float(self._squares + squares + step * step * self.count * len(numbers) / total)
            self._mean = float(self._mean + step * len(numbers) / total)
        self.count = total

    @property
    def mean(self) -> float | None:
        """The mean. None without numbers, or if a double cannot hold it."""
        return self._mean if self.count and math.isfinite(self._mean) else None

    @property
    def std(self) -> float | None:
        """The sample standard deviation, as Spark's `stddev`. None for fewer than two numbers, or beyond a double."""
        return math.sqrt(self._squares / (self.count - 1)) if self.count > 1 and math.isfinite(self._squares) else None
