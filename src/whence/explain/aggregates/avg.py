"""The aggregate AVG."""

from __future__ import annotations

import numpy as np

from whence.explain.aggregates.aggregate import Removable, filled, present, ratio, round_near_integers
from whence.explain.arrays import Columns, Floats


class Avg(Removable):
    """AVG(x) over the values that are not NULL."""

    name = "avg"
    is_independent = True

    def around(self, columns: Columns, centres: Columns) -> Floats:
        return np.column_stack([present(columns[0]), filled(columns[0])])

    def recover(self, states: Floats) -> Floats:
        return ratio(states[..., 1], round_near_integers(states[..., 0]))
