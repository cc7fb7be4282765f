"""Sums over cells that add up from row to row, and so over any set of marks of a brushed view."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from whence.charts.following import Answers, Lines
from whence.charts.kernels import MOST_CELLS, Ints, Mask

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Sums:
    """How many rows each cell has, and the sum of each quantity over them."""

    cell: Ints
    """Of each row; -1 where it has none."""
    size: int
    quantities: tuple[Floats, ...]

    def add_rows(self, chosen: Mask | None) -> Floats:
        """A line for the count and for each quantity, over the chosen rows."""
        use = self.cell >= 0 if chosen is None else (self.cell >= 0) & chosen
        rows = np.flatnonzero(use)
        return self._added(self.cell[rows].astype(np.int64), rows, self.size)

    def by(self, brushed: Ints, marks: int, among: Mask | None) -> Floats | None:
        """The same for each mark of a brushed view; None if that is too much to hold."""
        if marks * self.size * (1 + len(self.quantities)) > MOST_CELLS:
            return None
        use = (self.cell >= 0) & (brushed >= 0)
        if among is not None:
            use &= among
        rows = np.flatnonzero(use)
        cells = brushed[rows].astype(np.int64) * self.size + self.cell[rows]
        added = self._added(cells, rows, marks * self.size)
        return added.reshape(len(added), marks, self.size).swapaxes(0, 1)

    def _added(self, cells: npt.NDArray[np.int64], rows: Ints, size: int) -> Floats:
        lines: list[Floats] = [np.bincount(cells, minlength=size).astype(np.float64)]
        lines += [np.bincount(cells, weights=each[rows], minlength=size).astype(np.float64) for each in self.quantities]
        return np.stack(lines)


@dataclass(frozen=True)
class Added:
    """The sums of each brushed mark, and what follows from sums of them."""

    lines: Floats
    finish: Callable[[Floats], Answers]

    def add_up(self, marks: Ints) -> Answers:
        """From the rows of the brushed marks."""
        return self.finish(self.lines[marks].sum(axis=0))


class FromSums(ABC):
    """Marks whose columns follow from sums over their rows, so that each mark of a brushed view adds a line."""

    @property
    @abstractmethod
    def sums(self) -> Sums:
        """What is added up."""

    @abstractmethod
    def finished(self, sums: Floats) -> Answers:
        """The columns that follow from such sums."""

    def measure(self, chosen: Mask | None) -> Answers:
        """One pass over the rows."""
        return self.finished(self.sums.add_rows(chosen))

    def table(self, brushed: Ints, marks: int, among: Mask | None) -> Lines | None:
        """Counts, sums and products add up."""
        lines = self.sums.by(brushed, marks, among)
        return None if lines is None else Added(lines, self.finished)
