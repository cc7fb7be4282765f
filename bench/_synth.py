"""The synthetic tables of the Scorpion chapter (section 4.11), from a seed, and those whose cubes it prints."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from whence.explain.aggregates.aggregate import Aggregate
from whence.explain.attribute import ordered
from whence.explain.complaint import Complaint
from whence.explain.problem import Problem

GROUPS, ROWS = 10, 2000
Cube = list[tuple[float, float]]

_PRINTED: dict[int, tuple[list[float], list[float]]] = {
    2: ([42.2211, 37.8977], [52.7354, 44.3706]),
    3: ([31.2469, 28.0473, 15.5628], [37.2826, 39.9656, 25.0022]),
    4: ([24.7325, 22.2000, 12.3183, 7.5835], [35.3214, 30.5864, 28.5513, 13.8653]),
}
"""The lower corners of the outer and the inner cube of figure 4-13, which are those of seed 0 there."""


@dataclass(frozen=True)
class Synth:
    """Rows by group, outliers (groups 0-4 here) first; the two cubes that hold the odd values."""

    problem: Problem
    attributes: dict[str, np.ndarray]
    outer: Cube
    inner: Cube

    def truth(self, cube: Cube) -> np.ndarray:
        inside = [
            (self.attributes[f"a{n}"] >= low) & (self.attributes[f"a{n}"] <= high) for n, (low, high) in enumerate(cube)
        ]
        found: np.ndarray = np.logical_and.reduce(inside) & self.is_outlier
        return found

    @property
    def is_outlier(self) -> np.ndarray:
        return self.problem.owner < 5

    def f_score(self, mask: np.ndarray, cube: Cube) -> float:
        truth, found = self.truth(cube), mask & self.is_outlier
        return 2 * int((truth & found).sum()) / max(int(truth.sum() + found.sum()), 1)


def synth(dimensions: int, mean: float, seed: int, aggregate: Aggregate, rows: int = ROWS, draw: int = 0) -> Synth:
    """`mean` 80 is Easy, 30 is Hard; another `draw` gives fresh rows from the same cubes."""
    places = np.random.default_rng([seed, dimensions])
    side, inner_side = _sides(dimensions)
    starts = places.uniform(0, 100 - side, dimensions)
    outer = [(float(start), float(start + side)) for start in starts]
    inside = [float(places.uniform(low, high - inner_side)) for low, high in outer]
    inner = [(start, start + inner_side) for start in inside]
    random = np.random.default_rng([seed, dimensions, draw, 1])
    owner = np.repeat(np.arange(GROUPS), rows)
    columns = {f"a{number}": random.uniform(0, 100, len(owner)) for number in range(dimensions)}

    def within(cube: Cube) -> np.ndarray:
        inside: np.ndarray = np.logical_and.reduce(
            [(columns[f"a{n}"] >= a) & (columns[f"a{n}"] <= b) for n, (a, b) in enumerate(cube)]
        )
        return inside

    means = np.where(within(inner), mean, np.where(within(outer), (mean + 10) / 2, 10.0))
    values = random.normal(np.where(owner < 5, means, 10.0), 10.0)
    return _make_synth(owner, columns, values, aggregate, outer, inner)


def printed(folder: Path, dimensions: int, level: str, aggregate: Aggregate) -> Synth:
    """The table of the cubes that the thesis prints, Easy or Hard; there groups 5-9 are the outliers."""
    table = pq.read_table(folder / "synth" / f"SYNTH-{dimensions}D-{level}_seed0.parquet")
    owner = (table["g"].to_numpy() + 5) % GROUPS
    order = np.argsort(owner, kind="stable")
    columns = {f"a{number}": table[f"a{number}"].to_numpy()[order] for number in range(dimensions)}
    outer, inner = (
        [(low, low + side) for low in corner]
        for corner, side in zip(_PRINTED[dimensions], _sides(dimensions), strict=True)
    )
    return _make_synth(owner[order], columns, table["v"].to_numpy()[order], aggregate, outer, inner)


def _sides(dimensions: int) -> tuple[float, float]:
    return 100 * 0.25 ** (1 / dimensions), 100 * 0.0625 ** (1 / dimensions)


def _make_synth(
    owner: np.ndarray,
    columns: dict[str, np.ndarray],
    values: np.ndarray,
    aggregate: Aggregate,
    outer: Cube,
    inner: Cube,
) -> Synth:
    attributes = tuple(ordered(name, column) for name, column in columns.items())
    problem = Problem(owner, (values,), aggregate, (Complaint("high"),) * 5, 5, attributes)
    return Synth(problem, columns, outer, inner)
