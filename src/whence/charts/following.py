"""How the marks of one layer follow a brush: some or all of their columns over the rows that are chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from whence.charts.kernels import Answer, Ints, Mask, Measured, QuantileTable, Table

Answers = dict[str, Answer]
"""By the column of the mark table."""


class Lines(Protocol):
    """What each mark of a brushed view adds to the marks that follow: a step of a drag adds up a few lines."""

    def add_up(self, marks: Ints) -> Answers:
        """The columns over the rows of the brushed marks."""


class Follower(Protocol):
    """One layer of a view."""

    def measure(self, chosen: Mask | None) -> Answers:
        """Its columns over the chosen rows; None chooses all."""

    def table(self, brushed: Ints, marks: int, among: Mask | None) -> Lines | None:
        """Lines for the marks of a brushed view, which `brushed` gives for each row; None where adding is no help."""


@dataclass(frozen=True)
class SingleLines:
    """Lines of one column."""

    column: str
    lines: Table | QuantileTable

    def add_up(self, marks: Ints) -> Answers:
        """The column."""
        return {self.column: self.lines.add_up(marks)}


@dataclass(frozen=True)
class Single:
    """Marks that measure one thing."""

    column: str
    measured: Measured

    def measure(self, chosen: Mask | None) -> Answers:
        """The column."""
        return {self.column: self.measured.measure(chosen)}

    def table(self, brushed: Ints, marks: int, among: Mask | None) -> Lines | None:
        """What each brushed mark adds."""
        made = self.measured.table(brushed, marks, among)
        return None if made is None else SingleLines(self.column, made)


@dataclass(frozen=True)
class Raw:
    """Marks that are single rows: each has its own value, or none."""

    column: str
    owner: Ints
    values: np.ndarray
    """The value of each mark."""

    def measure(self, chosen: Mask | None) -> Answers:
        """The values of the marks whose rows are chosen."""
        there = np.zeros(len(self.values), dtype=bool)
        hit = self.owner if chosen is None else self.owner[chosen]
        there[hit[hit >= 0]] = True
        return {self.column: (self.values, there)}

    def table(self, brushed: Ints, marks: int, among: Mask | None) -> Lines | None:
        """A mark for each row is too many for a table."""
        return None
