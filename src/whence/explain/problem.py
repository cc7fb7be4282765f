"""The data of a question: the rows behind each marked value, the aggregate over them, and the complaints."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from whence.explain.aggregates.aggregate import Aggregate
from whence.explain.arrays import Bools, Columns, Floats, Ints
from whence.explain.attribute import Attribute, Clause
from whence.explain.complaint import Complaint
from whence.explain.predicate import Predicate

Box = tuple[tuple[int, Clause], ...]
"""A predicate over numbered attributes: (attribute, clause) pairs in the order of attributes, each at most once."""


@dataclass(frozen=True)
class Cells:
    """Sums over cells: a cell stands for all rows of one group that agree in the bin of every attribute."""

    counts: Floats
    """The number of rows of each cell."""
    squares: Floats
    """Per cell, the sum of squares of how far each row alone lowers its group's value."""
    falls: Floats
    """Per cell, the sum of how far each row alone lowers its group's value."""
    states: Floats
    """Per cell, the summed state of the aggregate."""

    def take(self, chosen: Ints) -> Cells:
        """Return some of the cells."""
        return Cells(self.counts[chosen], self.squares[chosen], self.falls[chosen], self.states[chosen])


@dataclass(frozen=True)
class Problem:
    """A question, with its rows ordered by group: first one group for each complaint, then the hold-outs.

    `sizes` is the number of rows of each group if the problem has only a sample of them. With `cells`, each row stands
    for all rows of its cell, and `columns` is empty because the cells hold the state of the aggregate.
    """

    owner: Ints
    """The number of each row's group."""
    columns: Columns
    aggregate: Aggregate
    complaints: tuple[Complaint, ...]
    holdouts: int
    """How many values are marked as fine."""
    attributes: tuple[Attribute, ...]
    sizes: Floats | None = None
    cells: Cells | None = None

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.owner)

    @property
    def outliers(self) -> int:
        """The number of values with a complaint."""
        return len(self.complaints)

    @property
    def groups(self) -> int:
        """The number of marked values: outliers and hold-outs."""
        return self.outliers + self.holdouts

    @cached_property
    def counts(self) -> Ints:
        """The number of rows that each group has in this problem."""
        return np.bincount(self.owner, minlength=self.groups).astype(np.int64)

    @cached_property
    def offsets(self) -> Ints:
        """The first row of each group, and after them the number of rows."""
        return np.concatenate([[0], np.cumsum(self.counts)]).astype(np.int64)

    @cached_property
    def scale(self) -> Floats:
        """For each group, how many of its rows one row stands for: 1 unless this is a sample."""
        if self.cells is not None:
            return np.ones(self.groups)
        whole = self.counts.astype(np.float64) if self.sizes is None else self.sizes
        return whole / np.maximum(self.counts, 1)

    @cached_property
    def each(self) -> Floats:
        """For each row, how many rows it stands for within its cell: 1 unless there are cells."""
        return np.ones(self.rows) if self.cells is None else self.cells.counts

    def mask(self, box: Box) -> Bools:
        """Return which rows a predicate takes."""
        met = np.ones(self.rows, dtype=np.bool_)
        for number, clause in box:
            attribute = self.attributes[number]
            # One look-up per row: clauses are over bins, so no values are compared.
            met &= attribute.allowed(clause)[attribute.codes]
        return met

    def take(self, rows: Ints) -> Problem:
        """Return the same question about some rows, in rising order. Each stands for its share of the group."""
        sizes = self.counts.astype(np.float64) if self.sizes is None else self.sizes
        return replace(
            self,
            owner=self.owner[rows],
            columns=tuple(column[rows] for column in self.columns),
            attributes=tuple(attribute.take(rows) for attribute in self.attributes),
            sizes=None if self.cells is not None else sizes,
            cells=None if self.cells is None else self.cells.take(rows),
        )

    def predicate(self, box: Box) -> Predicate:
        """Return a box as the predicate that users read."""
        return Predicate(tuple(self.attributes[number].condition(clause) for number, clause in box))


def with_clause(box: Box, number: int, clause: Clause | None) -> Box:
    """Return the box with the clause of one attribute replaced, or removed if it is None."""
    others = [each for each in box if each[0] != number]
    return tuple(sorted(others if clause is None else [*others, (number, clause)], key=lambda each: each[0]))


def clause_on(box: Box, number: int) -> Clause | None:
    """Return the clause that a box has on an attribute, or None."""
    return next((clause for each, clause in box if each == number), None)
