"""What a search may know about an aggregate: its value, its state if rows can be taken out of it, its properties."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from whence.explain.arrays import Columns, Floats, Ints
from whence.explain.complaint import Kind


class Aggregate(ABC):
    """A function of the rows of a group."""

    name: ClassVar[str] = ""
    arity: ClassVar[int] = 1
    """How many measures it reads."""

    is_removable: ClassVar[bool] = False
    """Rows can be taken out of a constant-size state (4.7.1)."""

    is_independent: ClassVar[bool] = False
    """Rows keep their order of influence inside sets (4.7.2)."""

    keeps_value_when_empty: ClassVar[bool] = False
    """Of no rows at all it is still a number."""

    @abstractmethod
    def value(self, columns: Columns) -> float:
        """Its value over these rows; NaN where it has none."""

    def is_anti_monotone(self, columns: Columns, kind: Kind) -> bool:
        """On these rows a subset never improves the value more than the whole (4.7.3); looked up, never assumed."""
        return False


class Removable(Aggregate):
    """An aggregate whose state is a sum over rows."""

    is_removable = True

    is_centred: ClassVar[bool] = False
    """Its state is of deviations from a centre, so that squares lose no digits; which centre makes no difference."""

    def states(self, columns: Columns, owner: Ints) -> Floats:
        """What each row adds to the state of its group: one line per row. `owner` numbers the row's group."""
        centres = tuple(means(column, owner)[owner] for column in columns) if self.is_centred else ()
        return self.around(columns, centres)

    @abstractmethod
    def around(self, columns: Columns, centres: Columns) -> Floats:
        """The same with the centre of each row's group given: rows that are far apart add up if they share it."""

    @abstractmethod
    def recover(self, states: Floats) -> Floats:
        """The values of states, which stand along the last axis; NaN where there is none."""

    def value(self, columns: Columns) -> float:
        """Its value over these rows."""
        owner = np.zeros(len(columns[0]), dtype=np.int64)
        return float(self.recover(self.states(columns, owner).sum(axis=0)))


def present(column: Floats) -> Floats:
    """1 where there is a value, 0 where it is NULL."""
    return (~np.isnan(column)).astype(np.float64)


def filled(column: Floats) -> Floats:
    """The values, 0 where NULL."""
    return np.nan_to_num(column, nan=0.0, posinf=np.inf, neginf=-np.inf)


def means(column: Floats, owner: Ints) -> Floats:
    """The mean of every group, 0 where nothing is known."""
    counts = np.bincount(owner, present(column))
    return np.bincount(owner, filled(column)) / np.maximum(counts, 1)


def centred(column: Floats, centre: Floats, weight: Floats) -> Floats:
    """The values less the centre of their group, 0 where they do not count."""
    return np.where(weight > 0, filled(column) - centre, 0.0)


def ratio(top: Floats, bottom: Floats) -> Floats:
    """top / bottom, NaN where bottom is not positive."""
    is_positive = bottom > 0
    return np.where(is_positive, top / np.where(is_positive, bottom, 1.0), np.nan)


def round_near_integers(count: Floats) -> Floats:
    """A count that rows were taken out of, without the trace that rounding leaves; one that is estimated stays so."""
    whole = np.round(count)
    return np.where(np.abs(count - whole) < 1e-6, whole, count)
