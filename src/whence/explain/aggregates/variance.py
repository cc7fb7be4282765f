"""The aggregate VARIANCE, of a sample or of the population."""

from __future__ import annotations

import numpy as np

from whence.explain.aggregates.aggregate import Removable, centred, present, ratio, round_near_integers
from whence.explain.arrays import Columns, Floats


class Variance(Removable):
    """VARIANCE(x). `freedom` is 1 for a sample and 0 for a population."""

    name = "variance"
    is_independent = True
    is_centred = True

    def __init__(self, freedom: int = 1) -> None:
        self.freedom = freedom

    def around(self, columns: Columns, centres: Columns) -> Floats:
        weight = present(columns[0])
        values = centred(columns[0], centres[0], weight)
        return np.column_stack([weight, values, values * values])

    def recover(self, states: Floats) -> Floats:
        count = round_near_integers(states[..., 0])
        squares = states[..., 2] - ratio(states[..., 1] ** 2, count)
        # Rounding can leave a tiny negative sum of squares.
        return ratio(np.maximum(squares, 0.0), count - self.freedom)
