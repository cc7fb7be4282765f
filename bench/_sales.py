"""A long table of sales, the same every time."""

from __future__ import annotations

import numpy as np
import pyarrow as pa


def sales(rows: int) -> pa.Table:
    """So many sales, in no order but that of their ids."""
    chance = np.random.default_rng(0)
    cities = pa.array([f"city {number}" for number in range(1000)])
    return pa.table(
        {
            "id": np.arange(rows),
            "city": cities.take(pa.array(chance.integers(0, 1000, rows))),
            "qty": chance.integers(0, 100, rows),
            "price": np.round(chance.random(rows) * 100, 2),
            "day": chance.integers(0, 365, rows),
        }
    )
