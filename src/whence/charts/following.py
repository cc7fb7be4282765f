"""Followers: recompute the marks of one layer over the rows that a brush selects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from whence.charts.kernels import Answer, Ints, Mask, Measured, QuantileTable, Table

Answers = dict[str, Answer]
"""The recomputed values, by column of the mark table."""


class Lines(Protocol):
    """Precomputed contributions of each brushed mark, of which a step of a drag combines a few."""

    def add_up(self, marks: Ints) -> Answers:
        """Return the columns over the rows of the brushed marks."""


class Follower(Protocol):
    """Recomputes the marks of one layer of a view."""

    def measure(self, chosen: Mask | None) -> Answers:
        """Return its columns over the chosen rows. None chooses all."""

    def table(self, brushed: Ints, marks: int, among: Mask | None) -> Lines | None:
        """Return the contributions of a brushed view's marks, or None if they are no help.

        `brushed` holds the brushed view's mark of each row, and `among` limits the rows.
        """


@dataclass(frozen=True)
class SingleLines:
    """The contributions of brushed marks to one column."""

    column: str
    lines: Table | QuantileTable

    def add_up(self, marks: Ints) -> Answers:
        """Return the column over the rows of the brushed marks."""
        return {self.column: self.lines.add_up(marks)}


@dataclass(frozen=True)
class Single:
    """A follower of marks that measure one thing."""

    column: str
    measured: Measured

    def measure(self, chosen: Mask | None) -> Answers:
        """Return the column over the chosen rows."""
        return {self.column: self.measured.measure(chosen)}

    def table(self, brushed: Ints, marks: int, among: Mask | None) -> Lines | None:
        """Return what each brushed mark adds, or None if a table does not help."""
        made = self.measured.table(brushed, marks, among)
        return None if made is None else SingleLines(self.column, made)


@dataclass(frozen=True)
class Raw:
    """A follower of marks that are single rows: each keeps its own value, or has none."""

    column: str
    owner: Ints
    values: np.ndarray
    """The value of each mark."""

    def measure(self, chosen: Mask | None) -> Answers:
        """Return the values of the marks whose rows are chosen."""
        there = np.zeros(len(self.values), dtype=bool)
        hit = self.owner if chosen is None else self.owner[chosen]
        there[hit[hit >= 0]] = True
        return {self.column: (self.values, there)}

    def table(self, brushed: Ints, marks: int, among: Mask | None) -> Lines | None:
        """Return None: with a mark for each row, a table would be too large."""
        return None
