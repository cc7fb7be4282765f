"""Requests to remove graffiti, made up from a seed: a CSV file in which 1 % of the days are no numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv

BY_WARD = "select status, ward, count(*) n, sum(days) s, avg(days) a from graffiti group by status, ward"


def write_graffiti(path: Path, rows: int) -> None:
    """Write the file."""
    random = np.random.default_rng(11)
    days = random.integers(0, 90, rows).astype(str).astype(object)
    days[random.random(rows) < 0.01] = "n/a"
    table = pa.table(
        {
            "request": np.arange(rows),
            "status": random.choice(["Completed", "Completed - Dup", "Open", "Open - Dup"], rows),
            "ward": random.integers(1, 51, rows),
            "zip": random.integers(60601, 60661, rows),
            "street": random.choice([f"{n} W MAIN ST" for n in range(500)], rows),
            "days": days,
        }
    )
    csv.write_csv(table, path)
