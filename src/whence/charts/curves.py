"""Followers of densities, regressions and loess: recompute curves over selected rows at their original places."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from whence.charts.following import Answers
from whence.charts.kernels import Ints, Mask
from whence.charts.series import GATHERED, MANY_ROWS
from whence.charts.summed import FromSums, Sums
from whence.model.lazy_module import LazyModule

# Loaded at first use: importing SciPy slows down opening a workspace. scipy.special, as scipy.stats alone takes a
# second.
if TYPE_CHECKING:
    from scipy import special
else:
    special = LazyModule("scipy.special")

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Series:
    """One curve: its marks, their places along the axis, and its numbers such as the bandwidth."""

    marks: Ints
    places: Floats
    options: Mapping[str, float]


@dataclass(frozen=True)
class Curves:
    """What all curves of a layer share: the series of each row, and the numbers read from it."""

    series: Sequence[Series]
    of_row: Ints
    """The series of each row, -1 for none."""
    size: int
    """The number of marks of the view."""
    a: Floats
    """The number of each row along the axis."""
    b: Floats | None = None
    """The other number of each row, if the curve goes through values."""

    @cached_property
    def _cells(self) -> tuple[Ints, int, list[slice]]:
        """(Cell of each row, number of cells, cells of each series): one cell per row, or intervals of many rows."""
        # The same limit and the same intervals as the SQL of the curve, so that both give the same values.
        if len(self.of_row) <= MANY_ROWS:
            rows = np.flatnonzero(self.of_row >= 0)
            order = rows[np.argsort(self.of_row[rows], kind="stable")]
            cells = np.full(len(self.of_row), -1, dtype=np.int64)
            cells[order] = np.arange(len(order))
            ends = np.searchsorted(self.of_row[order], np.arange(len(self.series) + 1))
            return cells, len(order), [slice(int(ends[n]), int(ends[n + 1])) for n in range(len(self.series))]
        known = self.a[self.of_row >= 0]
        low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
        wide = (high - low) / GATHERED or 1.0
        stretch = np.clip(((self.a - low) / wide).astype(np.int64), 0, GATHERED - 1)
        cells = np.where(self.of_row >= 0, self.of_row * GATHERED + stretch, -1)
        slices = [slice(n * GATHERED, (n + 1) * GATHERED) for n in range(len(self.series))]
        return cells, len(self.series) * GATHERED, slices

    @cached_property
    def sums(self) -> Sums:
        """The weight of each cell, and the sums over its rows."""
        cells, size, _ = self._cells
        return Sums(cells, size, (self.a,) if self.b is None else (self.a, self.b))

    def points(self, sums: Floats) -> list[tuple[Floats, Floats, Floats]]:
        """Return, for each series, the weight and the means of a and b of every cell that has rows."""
        found = []
        for part in self._cells[2]:
            weight = sums[0, part]
            there = weight > 0
            means = [line[part][there] / weight[there] for line in sums[1:]]
            found.append((weight[there], means[0], means[-1]))
        return found


@dataclass(frozen=True)
class Density(FromSums):
    """A kernel density estimate. It keeps the bandwidth of all rows, so that the curves can be compared."""

    curves: Curves
    column: str

    @property
    def sums(self) -> Sums:
        """The sums over the cells of all series."""
        return self.curves.sums

    def finished(self, sums: Floats) -> Answers:
        """Return the density at the places of the curve."""
        values, there = np.zeros(self.curves.size), np.zeros(self.curves.size, dtype=bool)
        for series, (weight, a, _) in zip(self.curves.series, self.curves.points(sums), strict=True):
            if len(weight):
                wide = series.options["h"]
                bells = np.exp(-0.5 * ((series.places[:, None] - a) / wide) ** 2) @ weight
                values[series.marks] = bells / (weight.sum() * wide * math.sqrt(2 * math.pi))
                there[series.marks] = True
        return {self.column: (values, there)}


@dataclass(frozen=True)
class Loess(FromSums):
    """At each place, a line through the nearest rows, weighted less the farther away they are (Cleveland 1979)."""

    curves: Curves
    column: str
    span: float

    @property
    def sums(self) -> Sums:
        """The sums over the cells of all series."""
        return self.curves.sums

    def finished(self, sums: Floats) -> Answers:
        """Return the smoothed values at the places of the curve."""
        values, there = np.zeros(self.curves.size), np.zeros(self.curves.size, dtype=bool)
        for series, (weight, a, b) in zip(self.curves.series, self.curves.points(sums), strict=True):
            if len(weight):
                reads = max(2.0, self.span * float(weight.sum()))
                values[series.marks] = [_line_at(place, weight, a, b, reads) for place in series.places]
                there[series.marks] = True
        return {self.column: (values, there)}


def _line_at(place: float, weight: Floats, a: Floats, b: Floats, reads: float) -> float:
    """Return the value at a place of the line through the nearest points, whose weights add up to `reads`."""
    away = np.abs(a - place)
    # By distance, then a, then b: the order of the SQL in `smooth.loess`, so that ties are cut alike.
    order = np.lexsort((b, a, away))
    near = order[np.cumsum(weight[order]) - weight[order] < reads - 1e-9]
    far = float(away[near].max())
    u = (a[near] - place) / far if far > 0 else np.zeros(len(near))
    c = weight[near] * ((1 - (away[near] / far) ** 3) ** 3 if far > 0 else 1.0)
    s0, s1, s2 = (float((c * u**power).sum()) for power in range(3))
    t0, t1 = float((c * b[near]).sum()), float((c * u * b[near]).sum())
    # All points have the same x, or nearly: no slope can be told, so take their mean. `smooth.loess` does the same in
    # SQL.
    if abs(s0 * s2 - s1 * s1) <= 1e-12 * s0 * s0:
        return t0 / s0 if s0 else math.nan
    return (s2 * t0 - s1 * t1) / (s0 * s2 - s1 * s1)


@dataclass(frozen=True)
class Regression(FromSums):
    """Least squares with the confidence interval of the mean, on logarithms where the method asks for them."""

    curves: Curves
    column: str
    method: str
    level: float

    @cached_property
    def _bent(self) -> tuple[Floats, Floats, Ints]:
        """Both numbers, as logarithms where the method asks for that, and the series of each row that has both."""
        assert self.curves.b is not None
        with np.errstate(divide="ignore", invalid="ignore"):
            a = np.log(self.curves.a) if self.method in ("log", "pow") else self.curves.a
            b = np.log(self.curves.b) if self.method in ("exp", "pow") else self.curves.b
        return a, b, np.where(np.isfinite(a) & np.isfinite(b), self.curves.of_row, -1)

    @cached_property
    def _centres(self) -> tuple[Floats, Floats]:
        """The means of each series over all rows. Products of distances from them add up without losing digits."""
        a, b, series = self._bent
        rows, size = np.flatnonzero(series >= 0), len(self.curves.series)
        count = np.maximum(np.bincount(series[rows], minlength=size), 1)
        return tuple(np.bincount(series[rows], weights=each[rows], minlength=size) / count for each in (a, b))  # type: ignore[return-value]

    @cached_property
    def sums(self) -> Sums:
        """Counts, sums and products of the distances from the centres."""
        a, b, series = self._bent
        there = series >= 0
        first, second = (
            np.where(there, each - centre[series], 0.0) for each, centre in zip((a, b), self._centres, strict=True)
        )
        return Sums(series, len(self.curves.series), (first, second, first**2, second**2, first * second))

    def finished(self, sums: Floats) -> Answers:
        """Return the fitted values and their interval at the places of the curve."""
        shape = self.curves.size
        found = {name: (np.zeros(shape), np.zeros(shape, dtype=bool)) for name in (self.column, "lower", "upper")}
        for number, series in enumerate(self.curves.series):
            # Count, then sums of a, b, a², b² and ab, as distances from the centres.
            n, sa, sb, saa, sbb, sab = sums[:, number]
            spread = saa / n - (sa / n) ** 2 if n else 0.0
            if n < 2 or not spread > 0:
                continue
            both = sab / n - sa * sb / n**2
            place = np.log(series.places) if self.method in ("log", "pow") else series.places
            away = place - (self._centres[0][number] + sa / n)
            middle = self._centres[1][number] + sb / n + both / spread * away
            left = max(sbb / n - (sb / n) ** 2 - both**2 / spread, 0.0)
            self._put(found, self.column, series.marks, middle)
            if n > 2:
                times = float(special.stdtrit(n - 2, 0.5 + self.level / 2))
                unsure = times * np.sqrt(left * n / (n - 2) * (1 / n + away**2 / (n * spread)))
                self._put(found, "lower", series.marks, middle - unsure)
                self._put(found, "upper", series.marks, middle + unsure)
        return found  # type: ignore[return-value]

    def _put(self, found: Mapping[str, tuple[Floats, Mask]], name: str, marks: Ints, line: Floats) -> None:
        values, there = found[name]
        values[marks] = np.exp(line) if self.method in ("exp", "pow") else line
        there[marks] = True
