"""A question to be explained: the rows behind every marked value, what is aggregated, and what is wrong with it."""

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
"""A predicate over numbered attributes: (attribute, clause), in the order of attributes, each at most once."""


@dataclass(frozen=True)
class Cells:
    """Rows of one group that agree in every bin, as one: what they add up to, cell by cell."""

    counts: Floats
    squares: Floats
    """Of what each row changes alone."""
    falls: Floats
    """What each row changes alone."""
    states: Floats

    def take(self, chosen: Ints) -> Cells:
        """Some of the cells."""
        return Cells(self.counts[chosen], self.squares[chosen], self.falls[chosen], self.states[chosen])


@dataclass(frozen=True)
class Problem:
    """Rows stand group by group: first those of the outliers, one group for each complaint, then the hold-outs.

    `sizes` is the number of rows of each group where this holds only a sample of them. With `cells`, a row stands for
    all rows of its cell, and there are no columns: the state of the aggregate is known.
    """

    owner: Ints
    columns: Columns
    aggregate: Aggregate
    complaints: tuple[Complaint, ...]
    holdouts: int
    attributes: tuple[Attribute, ...]
    sizes: Floats | None = None
    cells: Cells | None = None

    @property
    def rows(self) -> int:
        """How many rows."""
        return len(self.owner)

    @property
    def outliers(self) -> int:
        """How many values are complained about."""
        return len(self.complaints)

    @property
    def groups(self) -> int:
        """How many values are marked."""
        return self.outliers + self.holdouts

    @cached_property
    def counts(self) -> Ints:
        """How many rows each group has here."""
        return np.bincount(self.owner, minlength=self.groups).astype(np.int64)

    @cached_property
    def offsets(self) -> Ints:
        """Where each group begins, and where the last one ends."""
        return np.concatenate([[0], np.cumsum(self.counts)]).astype(np.int64)

    @cached_property
    def scale(self) -> Floats:
        """How many rows of its group each row stands for, by group; of cells the whole is here."""
        if self.cells is not None:
            return np.ones(self.groups)
        whole = self.counts.astype(np.float64) if self.sizes is None else self.sizes
        return whole / np.maximum(self.counts, 1)

    @cached_property
    def each(self) -> Floats:
        """How many rows each row is: more than one where it is a cell."""
        return np.ones(self.rows) if self.cells is None else self.cells.counts

    def mask(self, box: Box) -> Bools:
        """Which rows a predicate takes."""
        met = np.ones(self.rows, dtype=np.bool_)
        for number, clause in box:
            attribute = self.attributes[number]
            met &= attribute.allowed(clause)[attribute.codes]
        return met

    def take(self, rows: Ints) -> Problem:
        """The same question asked of some of the rows, given in rising order; each stands for its share."""
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
        """A box as users read it."""
        return Predicate(tuple(self.attributes[number].condition(clause) for number, clause in box))


def with_clause(box: Box, number: int, clause: Clause | None) -> Box:
    """The box with another clause on one attribute, or with none."""
    others = [each for each in box if each[0] != number]
    return tuple(sorted(others if clause is None else [*others, (number, clause)], key=lambda each: each[0]))


def clause_on(box: Box, number: int) -> Clause | None:
    """The clause a box has on an attribute."""
    return next((clause for each, clause in box if each == number), None)
