"""Some rows of one dataset version: all of them, their ids or one mark per row, whichever is smallest."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from whence.lineage.block import Ids

Marks = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.integer]

_DENSE = 32
"""From one row in this many on, marking rows is quicker than sorting their ids."""


class Selection:
    """Rows 0..rows-1 of which some are chosen. How many are is known at once, which ones are listed when asked for."""

    def __init__(self, rows: int, count: int, numbers: Numbers | None = None, marks: Marks | None = None) -> None:
        self.rows = rows
        self.count = count
        self._numbers = numbers
        self._marks = marks

    @classmethod
    def nothing(cls, rows: int) -> Selection:
        """No row."""
        return cls(rows, 0, np.empty(0, dtype=np.int64))

    @classmethod
    def everything(cls, rows: int) -> Selection:
        """Every row; nothing is stored for it."""
        return cls(rows, rows)

    @classmethod
    def of_sorted(cls, numbers: Numbers, rows: int) -> Selection:
        """Ids that are sorted and unique already, in any integer type."""
        return cls.everything(rows) if len(numbers) == rows else cls(rows, len(numbers), numbers)

    @classmethod
    def of_marks(cls, marks: Marks) -> Selection:
        """The rows that are marked."""
        count, rows = int(np.count_nonzero(marks)), len(marks)
        if count == rows:
            return cls.everything(rows)
        if count * 8 < rows:  # eight bytes for an id, one for a mark
            return cls(rows, count, np.flatnonzero(marks))
        return cls(rows, count, marks=marks)

    @classmethod
    def of(cls, numbers: Numbers, rows: int) -> Selection:
        """Ids in any order, some perhaps twice."""
        if len(numbers) < 2:
            return cls.of_sorted(numbers, rows)
        if len(numbers) * _DENSE < rows:
            return cls.of_sorted(np.unique(numbers), rows)
        marks = np.zeros(rows, dtype=bool)
        marks[numbers] = True
        return cls.of_marks(marks)

    @property
    def is_everything(self) -> bool:
        """Every row is chosen."""
        return self.count == self.rows

    @cached_property
    def ids(self) -> Ids:
        """The rows by id, sorted."""
        if self._numbers is not None:
            return self._numbers.astype(np.int64, copy=False)
        if self._marks is not None:
            return np.flatnonzero(self._marks)
        return np.arange(self.rows, dtype=np.int64)

    @cached_property
    def marks(self) -> Marks:
        """One mark per row; not to be changed."""
        if self._marks is not None:
            return self._marks
        marks = np.full(self.rows, self._numbers is None, dtype=bool)
        if self._numbers is not None:
            marks[self._numbers] = True
        return marks

    @property
    def rest(self) -> Ids:
        """The rows that are not chosen."""
        return np.flatnonzero(~self.marks)

    def page(self, start: int, stop: int) -> Ids:
        """The ids at these places of the sorted list; of few ids among many only those are touched."""
        if self._numbers is not None:
            return self._numbers[start:stop].astype(np.int64)
        if self.is_everything:
            return np.arange(start, max(start, min(stop, self.rows)), dtype=np.int64)
        return self.ids[start:stop]

    def __or__(self, other: Selection) -> Selection:
        if not other.count or self.is_everything:
            return self
        if not self.count or other.is_everything:
            return other
        if (self.count + other.count) * _DENSE < self.rows:
            return Selection.of_sorted(np.union1d(self.ids, other.ids), self.rows)
        return Selection.of_marks(self.marks | other.marks)
