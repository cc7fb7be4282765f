"""The aggregates MIN and MAX."""

from __future__ import annotations

import numpy as np

from whence.explain.aggregates.aggregate import Aggregate
from whence.explain.arrays import Columns
from whence.explain.complaint import Kind


class Max(Aggregate):
    """MAX(x)."""

    name = "max"

    def value(self, columns: Columns) -> float:
        known = columns[0][~np.isnan(columns[0])]
        return float(known.max()) if len(known) else np.nan

    def is_anti_monotone(self, columns: Columns, kind: Kind) -> bool:
        return kind in ("high", "wrong")


class Min(Aggregate):
    """MIN(x)."""

    name = "min"

    def value(self, columns: Columns) -> float:
        known = columns[0][~np.isnan(columns[0])]
        return float(known.min()) if len(known) else np.nan

    def is_anti_monotone(self, columns: Columns, kind: Kind) -> bool:
        return kind in ("low", "wrong")
