"""The aggregate STDDEV, of a sample or of the population."""

from __future__ import annotations

import numpy as np

from whence.explain.aggregates.variance import Variance
from whence.explain.arrays import Floats


class StdDev(Variance):
    """The square root of the variance."""

    name = "stddev"

    def recover(self, states: Floats) -> Floats:
        return np.sqrt(super().recover(states))
