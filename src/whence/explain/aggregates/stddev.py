"""STDDEV, of a sample or of the whole population."""

from __future__ import annotations

import numpy as np

from whence.explain.aggregates.variance import Variance
from whence.explain.arrays import Floats


class StdDev(Variance):
    """The root of the variance."""

    name = "stddev"

    def recover(self, states: Floats) -> Floats:
        return np.sqrt(super().recover(states))
