"""The aggregate COUNT(DISTINCT x)."""

from __future__ import annotations

import numpy as np

from whence.explain.aggregates.aggregate import Aggregate
from whence.explain.arrays import Columns
from whence.explain.complaint import Kind


class CountDistinct(Aggregate):
    """The number of different values. Values that are no numbers are numbered first."""

    name = "count distinct"
    keeps_value_when_empty = True

    def value(self, columns: Columns) -> float:
        return float(len(np.unique(columns[0][~np.isnan(columns[0])])))

    def is_anti_monotone(self, columns: Columns, kind: Kind) -> bool:
        return kind in ("high", "wrong")
