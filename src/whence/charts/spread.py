"""Followers of boxes and intervals: several numbers of the values at each mark, over selected rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from whence.charts.following import Answers, Lines
from whence.charts.kernels import Ints, Mask, Measured, Ordered, OrderedLines
from whence.charts.summed import FromSums, Sums

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class FromOrder(ABC):
    """A follower whose columns are read off sorted values. They are sorted once."""

    measured: Measured

    @abstractmethod
    def finished(self, found: Ordered) -> Answers:
        """Return the columns that follow from sorted values."""

    def measure(self, chosen: Mask | None) -> Answers:
        """Return the columns over the chosen rows, by filtering the sorted values."""
        return self.finished(self.measured.ordered(chosen))

    def table(self, brushed: Ints, marks: int, among: Mask | None) -> Lines | None:
        """Return the sorted values with the brushed mark of each."""
        return Along(self.measured.ordered_by(brushed, marks, among), self.finished)


@dataclass(frozen=True)
class Boxes(FromOrder):
    """Quartiles and whiskers: the outermost values within `reach` times the interquartile range (Tukey)."""

    middle: str
    reach: float

    def finished(self, found: Ordered) -> Answers:
        """Return median, quartiles and whiskers."""
        (first, there), (second, _), (third, _) = (found.quantile(share) for share in (0.25, 0.5, 0.75))
        lowest, highest = found.within(*self.fences(found))
        return {
            self.middle: (second, there),
            "lower": (found.at(lowest), there),
            "q1": (first, there),
            "q3": (third, there),
            "upper": (found.at(highest), there),
        }

    def fences(self, found: Ordered) -> tuple[Floats, Floats]:
        """Return the lowest and highest value that do not lie beyond the whiskers."""
        first, third = found.quantile(0.25)[0], found.quantile(0.75)[0]
        far = self.reach * (third - first)
        return first - far, third + far


@dataclass(frozen=True)
class Along:
    """Sorted values by brushed mark, and the function that turns them into columns of marks."""

    lines: OrderedLines
    finish: Callable[[Ordered], Answers]

    def add_up(self, marks: Ints) -> Answers:
        """Return the columns over the values of the brushed marks."""
        return self.finish(self.lines.select(marks))


@dataclass(frozen=True)
class Beyond:
    """The points beyond the whiskers of boxes: those whose rows are chosen and still lie beyond."""

    boxes: Boxes
    column: str
    rows: Ints
    """The row of each mark, -1 if it has none in the dataset."""

    def measure(self, chosen: Mask | None) -> Answers:
        """Return the points that lie beyond the boxes of the chosen rows."""
        there = self.rows >= 0
        if chosen is not None:
            # A row of -1 reads the last entry, but `there` is False for it already.
            there &= chosen[self.rows]
        return self.finished(self.boxes.measured.ordered(chosen), there)

    def table(self, brushed: Ints, marks: int, among: Mask | None) -> Lines | None:
        """Return the sorted values of the boxes, and the brushed mark of each point."""
        of_mark = np.where(self.rows >= 0, brushed[self.rows], -1)
        if among is not None:
            of_mark = np.where(among[self.rows], of_mark, -1)
        lines = self.boxes.measured.ordered_by(brushed, marks, among)
        return BeyondLines(self, lines, of_mark)

    def finished(self, found: Ordered, there: Mask) -> Answers:
        """Return which of the points in `there` lie beyond the boxes of these values."""
        measured = self.boxes.measured
        assert measured.values is not None
        low, high = self.boxes.fences(found)
        values, box = measured.values[self.rows].astype(np.float64), measured.owner[self.rows]
        return {self.column: (values, there & (box >= 0) & ((values < low[box]) | (values > high[box])))}


@dataclass(frozen=True)
class BeyondLines:
    """The points beyond whiskers, each with the mark of a brushed view that it belongs to."""

    beyond: Beyond
    lines: OrderedLines
    of_mark: Ints

    def add_up(self, marks: Ints) -> Answers:
        """Return the points beyond the boxes over the rows of the brushed marks."""
        return self.beyond.finished(self.lines.select(marks), np.isin(self.of_mark, marks))


@dataclass(frozen=True)
class Quartiles(FromOrder):
    """The median between two quartiles."""

    middle: str

    def finished(self, found: Ordered) -> Answers:
        """Return the median and the quartiles."""
        shares = {self.middle: 0.5, "lower": 0.25, "upper": 0.75}
        return {column: found.quantile(share) for column, share in shares.items()}


@dataclass(frozen=True)
class Extremes:
    """The mean between the smallest and the largest value."""

    parts: tuple[tuple[str, Measured], ...]

    def measure(self, chosen: Mask | None) -> Answers:
        """Return mean, minimum and maximum, in one pass each."""
        return {column: each.measure(chosen) for column, each in self.parts}

    def table(self, brushed: Ints, marks: int, among: Mask | None) -> Lines | None:
        """Return one table for each of the three, or None if one of them has none."""
        made = {column: each.table(brushed, marks, among) for column, each in self.parts}
        return None if any(each is None for each in made.values()) else ThreeLines(made)  # type: ignore[arg-type]


@dataclass(frozen=True)
class ThreeLines:
    """One table for each of several columns."""

    columns: dict[str, Lines]

    def add_up(self, marks: Ints) -> Answers:
        """Return every column over the rows of the brushed marks."""
        return {column: each.add_up(marks) for column, each in self.columns.items()}  # type: ignore[misc]


_WIDTHS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "stderr": lambda deviation, count: deviation / np.sqrt(count),
    "ci": lambda deviation, count: 1.96 * deviation / np.sqrt(count),
    "stdev": lambda deviation, _: deviation,
}
"""Half the width of an interval, from standard deviation and count. 1.96 is the normal 95 % quantile."""


@dataclass(frozen=True)
class Deviations(FromSums):
    """The mean with an interval from the standard deviation of the values at each mark."""

    measured: Measured
    middle: str
    extent: str

    @cached_property
    def _centres(self) -> Floats:
        """The mean of each mark over all rows. Squared distances from it add up without losing digits."""
        mean, there = self.measured.measure(None)
        return np.where(there, mean, 0.0).astype(np.float64)

    @cached_property
    def sums(self) -> Sums:
        """Counts, sums and squares of the distances from the centres."""
        measured = self.measured
        assert measured.values is not None
        apart = measured.values - self._centres[measured.owner]
        return Sums(measured.usable, measured.size, (apart, apart**2))

    def finished(self, sums: Floats) -> Answers:
        """Return the mean and the ends of its interval."""
        count, apart, squares = sums
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = self._centres + apart / count
            variance = np.maximum(squares - apart**2 / count, 0.0) / (count - 1)
            wide = _WIDTHS[self.extent](np.sqrt(variance), count)
        return {
            self.middle: (mean, count > 0),
            "lower": (mean - wide, count > 1),
            "upper": (mean + wide, count > 1),
        }
