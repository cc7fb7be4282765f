"""Some rows of one dataset version: all of them, their ids or a boolean mask, whichever is smallest."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from whence.lineage.block import Ids

Mask = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.integer]

_DENSE = 32
"""From one row in this many on, a mask is quicker than sorting their ids."""


class Selection:
    """Rows 0..rows-1 of which some are chosen. How many are is known at once, which ones are listed when asked for."""

    def __init__(self, rows: int, count: int, numbers: Numbers | None = None, mask: Mask | None = None) -> None:
        self.rows = rows
        self.count = count
        self._numbers = numbers
        self._mask = mask

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
    def of_mask(cls, mask: Mask) -> Selection:
        """The rows where the mask holds."""
        count, rows = int(np.count_nonzero(mask)), len(mask)
        if count == rows:
            return cls.everything(rows)
        if count * 8 < rows:  # eight bytes for an id, one for a place of the mask
            return cls(rows, count, np.flatnonzero(mask))
        return cls(rows, count, mask=mask)

    @classmethod
    def of(cls, numbers: Numbers, rows: int) -> Selection:
        """Ids in any order, some perhaps twice."""
        if len(numbers) < 2:
            return cls.of_sorted(numbers, rows)
        if len(numbers) * _DENSE < rows:
            return cls.of_sorted(np.unique(numbers), rows)
        mask = np.zeros(rows, dtype=bool)
        mask[numbers] = True
        return cls.of_mask(mask)

    @property
    def is_everything(self) -> bool:
        """Every row is chosen."""
        return self.count == self.rows

    @cached_property
    def ids(self) -> Ids:
        """The rows by id, sorted."""
        if self._numbers is not None:
            return self._numbers.astype(np.int64, copy=False)
        if self._mask is not None:
            return np.flatnonzero(self._mask)
        return np.arange(self.rows, dtype=np.int64)

    @cached_property
    def mask(self) -> Mask:
        """One boolean per row; not to be changed."""
        if self._mask is not None:
            return self._mask
        mask = np.full(self.rows, self._numbers is None, dtype=bool)
        if self._numbers is not None:
            mask[self._numbers] = True
        return mask

    @property
    def rest(self) -> Ids:
        """The rows that are not chosen."""
        return np.flatnonzero(~self.mask)

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
        return Selection.of_mask(self.mask | other.mask)
