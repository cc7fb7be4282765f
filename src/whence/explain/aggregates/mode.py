"""MODE: the commonest number."""

from __future__ import annotations

import numpy as np

from whence.explain.aggregates.aggregate import Aggregate
from whence.explain.arrays import Columns


class Mode(Aggregate):
    """The commonest number; of several equally common ones the least, so that the answer is always the same."""

    name = "mode"

    def value(self, columns: Columns) -> float:
        known = columns[0][~np.isnan(columns[0])]
        if not len(known):
            return np.nan
        values, counts = np.unique(known, return_counts=True)
        return float(values[np.argmax(counts)])
