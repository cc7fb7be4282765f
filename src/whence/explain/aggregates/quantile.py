"""The aggregates PERCENTILE and MEDIAN."""

from __future__ import annotations

import numpy as np

from whence.explain.aggregates.aggregate import Aggregate
from whence.explain.arrays import Columns


class Quantile(Aggregate):
    """PERCENTILE(x, share) with linear interpolation between two values, as SQL defines it. MEDIAN has share 0.5."""

    name = "quantile"

    def __init__(self, share: float = 0.5) -> None:
        self.share = share

    def value(self, columns: Columns) -> float:
        known = columns[0][~np.isnan(columns[0])]
        return float(np.quantile(known, self.share)) if len(known) else np.nan
