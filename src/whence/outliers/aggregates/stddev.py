"""STDDEV, of a sample or of the whole population."""

from __future__ import annotations

import numpy as np

from whence.outliers.aggregates.variance import Variance
from whence.outliers.arrays import Floats


class StdDev(Variance):
    """The root of the variance."""

    name = "stddev"

    def recover(self, states: Floats) -> Floats:
        return np.sqrt(super().recover(states))
