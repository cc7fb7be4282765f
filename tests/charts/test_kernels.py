"""The values of marks over some rows, against the definition in plain Python."""

from __future__ import annotations

import statistics
from collections.abc import Callable

import numpy as np
import pytest

from whence.charts.kernels import Measured

DEFINITIONS: dict[str, Callable[[list[float]], float | None]] = {
    "count": len,
    "sum": lambda values: sum(values) if values else None,
    "mean": lambda values: statistics.fmean(values) if values else None,
    "min": lambda values: min(values, default=None),
    "max": lambda values: max(values, default=None),
    "median": lambda values: statistics.median(values) if values else None,
    "distinct": lambda values: len(set(values)),
    "stddev": lambda values: statistics.stdev(values) if len(values) > 1 else None,
    "variance": lambda values: statistics.variance(values) if len(values) > 1 else None,
    "quantile": lambda values: float(np.quantile(values, 0.3)) if values else None,
}


@pytest.mark.parametrize("function", DEFINITIONS)
@pytest.mark.parametrize("seed", range(6))
def test_values_over_chosen_rows_are_those_of_the_definition(function: str, seed: int) -> None:
    chance = np.random.default_rng(seed)
    size, rows = int(chance.integers(1, 6)), int(chance.integers(0, 60))
    owner = chance.integers(-1, size, rows)
    values = chance.integers(-5, 6, rows) if seed % 2 else chance.normal(size=rows).round(1)
    valid = chance.random(rows) < 0.8
    measured = Measured(owner, size, function, values, valid, 0.3)
    brushed, marks = chance.integers(-1, 4, rows), 4
    for picked in (np.array([0]), np.array([1, 2]), np.array([0, 3]), np.arange(4)):
        chosen = np.isin(brushed, picked)
        wanted = [
            DEFINITIONS[function](
                [float(v) for v, o, c, k in zip(values, owner, chosen, valid, strict=True) if o == mark and c and k]
            )
            for mark in range(size)
        ]
        found, there = measured.measure(chosen)
        assert [
            value if is_there else None for value, is_there in zip(found.tolist(), there.tolist(), strict=True)
        ] == pytest.approx(wanted, nan_ok=True)
        table = measured.table(brushed, marks, None)
        assert (table is None) == (function in ("distinct", "stddev", "variance"))
        if table is not None:
            found, there = table.add_up(picked)
            assert [
                value if is_there else None for value, is_there in zip(found.tolist(), there.tolist(), strict=True)
            ] == pytest.approx(wanted)


def test_rows_outside_other_brushes_do_not_count() -> None:
    measured = Measured(np.array([0, 0, 1, 1]), 2, "count")
    table = measured.table(np.array([0, 1, 0, 1]), 2, np.array([True, True, False, True]))
    assert table is not None
    assert table.add_up(np.array([0, 1]))[0].tolist() == [2, 1]
