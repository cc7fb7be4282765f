"""The data below a sheet: single rows for pages, whole columns for formulas that need them, and its doubt flags."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.caveats.doubt_flags import DoubtFlags
from whence.caveats.influence import ROW, Part
from whence.caveats.own_caveats import Mask
from whence.caveats.reach import FlagMasks
from whence.model.dataset import DatasetRecord
from whence.notebook.sheet.original_text import OriginalTexts
from whence.notebook.sheet.rowset import Rows
from whence.store.store import Store

_COLUMNS_KEPT = 32
"""Whole columns that are kept in memory."""


class Source:
    """One dataset version as a sheet reads it."""

    def __init__(self, store: Store, flags: DoubtFlags, record: DatasetRecord, texts: OriginalTexts) -> None:
        self.store = store
        self.record = record
        self._flags = flags
        self._texts = texts
        self.types = {field.name: field.type for field in record.schema}
        # On the instance: a cache on the method would keep every source alive.
        self.column = lru_cache(maxsize=_COLUMNS_KEPT)(self._read_column)
        """Return a whole column in the order of row ids, cached: formulas that read it run again at every keystroke."""

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.record.rows

    def table(self, rids: Rows, columns: Sequence[str]) -> pa.Table:
        """Return these rows and columns. Consecutive rows are read as one slice."""
        if not len(rids):
            return self.store.read(self.record, 0, 0, columns)
        first, last = int(rids[0]), int(rids[-1])
        if last - first + 1 == len(rids) and np.array_equal(rids, np.arange(first, last + 1)):
            return self.store.read(self.record, first, last + 1, columns)
        return self.store.take(self.record, rids, columns)

    def _read_column(self, column: str) -> pa.Array:
        return self.store.read(self.record, 0, self.rows, [column]).column(0).combine_chunks()

    def identical(self, column: str, rid: int) -> Mask:
        """Return for each row whether its cell has the value of this one and was read from the same text of a file."""
        values = self.column(column)
        value = values[rid]
        same = pc.equal(values, value) if value.is_valid else pc.is_null(values)  # null equals nothing, not even null
        found: Mask = pc.fill_null(same, False).to_numpy(zero_copy_only=False).astype(bool)
        return found & self._texts.same(self.record, column, rid)

    def value(self, column: str, rid: int) -> object:
        """Return one value, from the cached column."""
        return plain(self.column(column)[rid].as_py())

    @property
    def flag_masks(self) -> FlagMasks:
        """The doubt flags of the data as they are now; acknowledging a caveat changes them."""
        return self._flags.current_flags(self.record)

    def flags(self, part: Part, rids: Rows) -> Mask:
        """Return whether these cells, or with ROW these rows, are in doubt."""
        mask = self.flag_masks.masks.get(part)
        return np.zeros(len(rids), dtype=bool) if mask is None else mask[rids]

    @property
    def is_certain(self) -> bool:
        """Whether nothing in the data is in doubt, the set of its rows included."""
        return not self.flag_masks.masks and not self.flag_masks.row_set

    @property
    def rows_vary(self) -> bool:
        """Whether rows of the data might not belong to it, or rows that belong might be missing."""
        return ROW in self.flag_masks.masks or self.flag_masks.row_set


def plain(value: object) -> object:
    """Return a value as formulas see it: a time with a time zone becomes one in UTC without a zone."""
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.astimezone(UTC).replace(tzinfo=None)
    return value
