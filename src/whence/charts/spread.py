"""Boxes and intervals over some rows only: several numbers of the values at each mark."""

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
    """Marks whose columns are read off their values in order, which are sorted once."""

    measured: Measured

    @abstractmethod
    def finished(self, found: Ordered) -> Answers:
        """The columns that follow from values in order."""

    def measure(self, chosen: Mask | None) -> Answers:
        """Along the sorted values."""
        return self.finished(self.measured.ordered(chosen))

    def table(self, brushed: Ints, marks: int, among: Mask | None) -> Lines | None:
        """The sorted values with the marks they belong to."""
        return Along(self.measured.ordered_by(brushed, marks, among), self.finished)


@dataclass(frozen=True)
class Boxes(FromOrder):
    """Quartiles, and how far the rows reach that lie at most so many quartile ranges from them (Tukey)."""

    middle: str
    reach: float

    def finished(self, found: Ordered) -> Answers:
        """Quartiles, and what hangs on them."""
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
        """How low and how high a value may be without lying beyond the whiskers."""
        first, third = found.quantile(0.25)[0], found.quantile(0.75)[0]
        far = self.reach * (third - first)
        return first - far, third + far


@dataclass(frozen=True)
class Along:
    """Lines along sorted values."""

    lines: OrderedLines
    finish: Callable[[Ordered], Answers]

    def add_up(self, marks: Ints) -> Answers:
        """From the values of the brushed marks."""
        return self.finish(self.lines.select(marks))


@dataclass(frozen=True)
class Beyond:
    """The rows beyond the whiskers of boxes: marks whose rows are chosen and still lie beyond."""

    boxes: Boxes
    column: str
    rows: Ints
    """The row of each mark; -1 where it is none of the dataset."""

    def measure(self, chosen: Mask | None) -> Answers:
        """The boxes of the chosen rows decide."""
        there = self.rows >= 0
        if chosen is not None:
            there &= chosen[self.rows]
        return self.finished(self.boxes.measured.ordered(chosen), there)

    def table(self, brushed: Ints, marks: int, among: Mask | None) -> Lines | None:
        """The lines of the boxes, and the brushed mark of each point."""
        of_mark = np.where(self.rows >= 0, brushed[self.rows], -1)
        if among is not None:
            of_mark = np.where(among[self.rows], of_mark, -1)
        lines = self.boxes.measured.ordered_by(brushed, marks, among)
        return BeyondLines(self, lines, of_mark)

    def finished(self, found: Ordered, there: Mask) -> Answers:
        """Which of the points that are there lie beyond the boxes of these values."""
        measured = self.boxes.measured
        assert measured.values is not None
        low, high = self.boxes.fences(found)
        values, box = measured.values[self.rows].astype(np.float64), measured.owner[self.rows]
        return {self.column: (values, there & (box >= 0) & ((values < low[box]) | (values > high[box])))}


@dataclass(frozen=True)
class BeyondLines:
    """Points beyond whiskers, with the mark of a brushed view that each belongs to."""

    beyond: Beyond
    lines: OrderedLines
    of_mark: Ints

    def add_up(self, marks: Ints) -> Answers:
        """From the rows of the brushed marks."""
        return self.beyond.finished(self.lines.select(marks), np.isin(self.of_mark, marks))


@dataclass(frozen=True)
class Quartiles(FromOrder):
    """The median between two quartiles."""

    middle: str

    def finished(self, found: Ordered) -> Answers:
        """Quartiles, and what hangs on them."""
        shares = {self.middle: 0.5, "lower": 0.25, "upper": 0.75}
        return {column: found.quantile(share) for column, share in shares.items()}


@dataclass(frozen=True)
class Extremes:
    """The mean between the smallest value and the largest."""

    parts: tuple[tuple[str, Measured], ...]

    def measure(self, chosen: Mask | None) -> Answers:
        """Three passes."""
        return {column: each.measure(chosen) for column, each in self.parts}

    def table(self, brushed: Ints, marks: int, among: Mask | None) -> Lines | None:
        """Each of the three by itself."""
        made = {column: each.table(brushed, marks, among) for column, each in self.parts}
        return None if any(each is None for each in made.values()) else ThreeLines(made)  # type: ignore[arg-type]


@dataclass(frozen=True)
class ThreeLines:
    """Lines of several columns."""

    columns: dict[str, Lines]

    def add_up(self, marks: Ints) -> Answers:
        """Every column."""
        return {column: each.add_up(marks) for column, each in self.columns.items()}  # type: ignore[misc]


_WIDTHS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "stderr": lambda deviation, count: deviation / np.sqrt(count),
    "ci": lambda deviation, count: 1.96 * deviation / np.sqrt(count),
    "stdev": lambda deviation, _: deviation,
}


@dataclass(frozen=True)
class Deviations(FromSums):
    """The mean, and how sure it is: by the standard deviation of the values at each mark."""

    measured: Measured
    middle: str
    extent: str

    @cached_property
    def _centres(self) -> Floats:
        """About where the values of each mark lie: squares of distances from there can be added up without loss."""
        mean, there = self.measured.measure(None)
        return np.where(there, mean, 0.0).astype(np.float64)

    @cached_property
    def sums(self) -> Sums:
        """Counts, sums and squares of distances from the centres."""
        measured = self.measured
        assert measured.values is not None
        apart = measured.values - self._centres[measured.owner]
        return Sums(measured.usable, measured.size, (apart, apart**2))

    def finished(self, sums: Floats) -> Answers:
        """The mean and its ends."""
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
