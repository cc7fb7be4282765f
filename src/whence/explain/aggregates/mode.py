"""The aggregate MODE: the commonest number."""

from __future__ import annotations

import numpy as np

from whence.explain.aggregates.aggregate import Aggregate
from whence.explain.arrays import Columns


class Mode(Aggregate):
    """The commonest number. Of several equally common ones it is the least, so that the result is deterministic."""

    name = "mode"

    def value(self, columns: Columns) -> float:
        known = columns[0][~np.isnan(columns[0])]
        if not len(known):
            return np.nan
        values, counts = np.unique(known, return_counts=True)
        return float(values[np.argmax(counts)])
