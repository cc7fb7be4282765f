"""Sums over cells that add up, so that the sums of any set of brushed marks follow without reading rows."""

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
    """Counts of rows per cell, and sums of each quantity over them."""

    cell: Ints
    """The cell of each row, -1 for none."""
    size: int
    """The number of cells."""
    quantities: tuple[Floats, ...]

    def add_rows(self, chosen: Mask | None) -> Floats:
        """Return the count and each summed quantity of the chosen rows: line by cell."""
        use = self.cell >= 0 if chosen is None else (self.cell >= 0) & chosen
        rows = np.flatnonzero(use)
        return self._added(self.cell[rows].astype(np.int64), rows, self.size)

    def by(self, brushed: Ints, marks: int, among: Mask | None) -> Floats | None:
        """Return the same for each mark of a brushed view, or None if that needs more than MOST_CELLS numbers."""
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
    """The sums of each brushed mark, and the function that turns summed lines into columns of marks."""

    lines: Floats
    finish: Callable[[Floats], Answers]

    def add_up(self, marks: Ints) -> Answers:
        """Return the columns over the rows of the brushed marks."""
        return self.finish(self.lines[marks].sum(axis=0))


class FromSums(ABC):
    """A follower whose columns follow from sums over rows, so that the sums of brushed marks can be added."""

    @property
    @abstractmethod
    def sums(self) -> Sums:
        """The sums that the columns follow from."""

    @abstractmethod
    def finished(self, sums: Floats) -> Answers:
        """Return the columns of marks that follow from such sums."""

    def measure(self, chosen: Mask | None) -> Answers:
        """Return the columns over the chosen rows, in one pass over them."""
        return self.finished(self.sums.add_rows(chosen))

    def table(self, brushed: Ints, marks: int, among: Mask | None) -> Lines | None:
        """Return the sums of each brushed mark, or None if they would be too large."""
        lines = self.sums.by(brushed, marks, among)
        return None if lines is None else Added(lines, self.finished)
