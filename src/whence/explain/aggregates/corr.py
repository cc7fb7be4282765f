"""The aggregate CORR: Pearson's correlation of two measures."""

from __future__ import annotations

import numpy as np

from whence.explain.aggregates.aggregate import Removable, centred, present, ratio, round_near_integers
from whence.explain.arrays import Columns, Floats


class Corr(Removable):
    """CORR(x, y) over the rows in which both are known, or NaN if one of them does not vary."""

    name = "corr"
    arity = 2
    is_centred = True

    def around(self, columns: Columns, centres: Columns) -> Floats:
        weight = present(columns[0]) * present(columns[1])
        x, y = (centred(column, centre, weight) for column, centre in zip(columns, centres, strict=True))
        return np.column_stack([weight, x, y, x * x, y * y, x * y])

    def recover(self, states: Floats) -> Floats:
        count, x, y, xx, yy, xy = (states[..., number] for number in range(6))
        count = round_near_integers(count)
        varies_x, varies_y = xx - ratio(x * x, count), yy - ratio(y * y, count)
        # Rounding leaves a trace of variance where there is none.
        varies_x = np.where(varies_x > 1e-12 * xx, varies_x, 0.0)
        varies_y = np.where(varies_y > 1e-12 * yy, varies_y, 0.0)
        together = xy - ratio(x * y, count)
        # Rounding can push a perfect correlation past 1.
        return np.clip(ratio(together, np.sqrt(varies_x * varies_y)), -1.0, 1.0)
