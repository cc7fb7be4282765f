"""A set of rows by number, in the form that takes least room: all rows up to a number, a mask, or a sorted list."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_DENSE = 64
"""A set of fewer than one row in this many is a list, any other a mask."""


@dataclass(frozen=True)
class RowSet:
    """Rows 0..size-1, or those of them that the mask or the list names."""

    size: int
    mask: Mask | None = None
    listed: Rows | None = None

    @classmethod
    def of(cls, rows: Rows, size: int) -> RowSet:
        """Return the set of these rows, out of `size`."""
        if len(rows) * _DENSE < size:
            return cls(size, listed=np.unique(rows))
        mask = np.zeros(size, dtype=bool)
        mask[rows] = True
        return cls(size) if mask.all() else cls(size, mask=mask)

    @property
    def is_everything(self) -> bool:
        """Whether the set holds all rows up to `size`."""
        return self.mask is None and self.listed is None

    @property
    def rows(self) -> Rows:
        """The rows, sorted."""
        if self.listed is not None:
            return self.listed
        return np.arange(self.size, dtype=np.int64) if self.mask is None else np.flatnonzero(self.mask)

    def has(self, rows: Rows) -> Mask:
        """Return for each of these rows whether it is in the set."""
        inside = rows < self.size  # rows that were inserted after the set was made are not in it
        if self.mask is not None:
            found: Mask = self.mask[np.where(inside, rows, 0)] & inside if self.size else inside
            return found
        return np.isin(rows, self.listed) if self.listed is not None else inside
