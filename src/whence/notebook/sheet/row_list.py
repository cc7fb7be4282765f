"""A list of row numbers, as a sort or a filter leaves them, with a search for the place of each."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from whence.notebook.sheet.rowset import Rows

_FEW = 8
"""Up to this many rows are searched one by one, without an index."""
_OFTEN = 16
"""Searches after which an index of all rows pays."""


class RowList:
    """Row numbers in some order. Several orders may share a list, so lists are compared by identity."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self._asked = 0

    def places(self, rows: Rows) -> Rows:
        """Return where in the list these rows are; -1 for those that are not in it."""
        self._asked += 1
        # `cached_property` keeps the index in `__dict__`: once it is there, it is always quicker.
        if len(rows) <= _FEW and self._asked <= _OFTEN and "_index" not in self.__dict__:
            found = [np.flatnonzero(self.rows == row) for row in rows]
            return np.array([each[0] if len(each) else -1 for each in found], dtype=np.int64)
        if not len(self._index):
            return np.full(len(rows), -1, dtype=np.int64)
        inside = rows < len(self._index)
        return np.where(inside, self._index[np.where(inside, rows, 0)], -1)

    @cached_property
    def _index(self) -> Rows:
        index = np.full(int(self.rows.max()) + 1 if len(self.rows) else 0, -1, dtype=np.int64)
        index[self.rows] = np.arange(len(self.rows), dtype=np.int64)
        return index
