"""The interface of aggregates: value, removable state, and the properties that searches use (Scorpion, 4.7)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from whence.explain.arrays import Columns, Floats, Ints
from whence.explain.complaint import Kind


class Aggregate(ABC):
    """A function from the rows of a group to a number."""

    name: ClassVar[str] = ""
    arity: ClassVar[int] = 1
    """The number of measures it reads."""

    is_removable: ClassVar[bool] = False
    """Whether rows can be removed from a state of constant size (4.7.1)."""

    is_independent: ClassVar[bool] = False
    """Whether rows keep their order of influence within sets of rows (4.7.2)."""

    keeps_value_when_empty: ClassVar[bool] = False
    """Whether its value over no rows is still a number."""

    @abstractmethod
    def value(self, columns: Columns) -> float:
        """Return the value over these rows, or NaN if there is none."""

    def is_anti_monotone(self, columns: Columns, kind: Kind) -> bool:
        """Return whether on these rows no subset improves the value more than the whole (4.7.3). False if unknown."""
        return False


class Removable(Aggregate):
    """An aggregate whose state is a sum over rows, so that rows can be removed by subtraction."""

    is_removable = True

    is_centred: ClassVar[bool] = False
    """Whether states hold deviations from a centre, so that squares lose no digits. Any centre gives the same value."""

    def states(self, columns: Columns, owner: Ints) -> Floats:
        """Return what each row adds to the state of its group, one line per row. `owner` numbers the row's group."""
        centres = tuple(means(column, owner)[owner] for column in columns) if self.is_centred else ()
        return self.around(columns, centres)

    @abstractmethod
    def around(self, columns: Columns, centres: Columns) -> Floats:
        """Return the same for given centres of each row's group: states add up only if they share a centre."""

    @abstractmethod
    def recover(self, states: Floats) -> Floats:
        """Return the values of states, which lie along the last axis, with NaN where there is none."""

    def value(self, columns: Columns) -> float:
        """Return the value over these rows."""
        owner = np.zeros(len(columns[0]), dtype=np.int64)
        return float(self.recover(self.states(columns, owner).sum(axis=0)))


def present(column: Floats) -> Floats:
    """Return 1 for each value and 0 for each NULL."""
    return (~np.isnan(column)).astype(np.float64)


def filled(column: Floats) -> Floats:
    """Return the values, with 0 for NULL."""
    return np.nan_to_num(column, nan=0.0, posinf=np.inf, neginf=-np.inf)


def means(column: Floats, owner: Ints) -> Floats:
    """Return the mean of every group, or 0 for a group without values."""
    counts = np.bincount(owner, present(column))
    return np.bincount(owner, filled(column)) / np.maximum(counts, 1)


def centred(column: Floats, centre: Floats, weight: Floats) -> Floats:
    """Return the values less the centre of their group, and 0 where the weight is 0."""
    return np.where(weight > 0, filled(column) - centre, 0.0)


def ratio(top: Floats, bottom: Floats) -> Floats:
    """Return top / bottom, with NaN where bottom is not positive."""
    # The inner `where` keeps NumPy from dividing by zero in the lines that the outer one replaces.
    is_positive = bottom > 0
    return np.where(is_positive, top / np.where(is_positive, bottom, 1.0), np.nan)


def round_near_integers(count: Floats) -> Floats:
    """Round counts that are whole but for rounding errors of a subtraction. Estimated counts stay as they are."""
    whole = np.round(count)
    return np.where(np.abs(count - whole) < 1e-6, whole, count)
