"""Which values of a stored column a query wrote: constants are told from labels by their type and their values."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.lineage.cell_grounds import PARTLY, WRITTEN, Flags, States
from whence.model.dataset import DatasetRecord
from whence.plan.expr_grounds import is_number
from whence.plan.grounds import Ground, is_code
from whence.store.store import Store

_MOST_VALUES = 1000
"""Columns with more distinct values are no labels."""
_YEARS = (1900, 2100)
_WITHOUT_MEANING = frozenset({-1.0, 0.0, 1.0})
"""Defaults beside data, as in coalesce(x, 0)."""


class WrittenValues:
    """Reads columns of one dataset that may hold constants of its query."""

    def __init__(self, store: Store, record: DatasetRecord) -> None:
        self._store = store
        self._record = record
        self._types = {each.name: each.type for each in record.schema}

    def are_present(self, column: str) -> Flags:
        """For each row whether the cell holds a value: NULL is not written, it is nothing."""
        return np.asarray(pc.is_valid(self._read(column)).to_numpy(zero_copy_only=False), dtype=np.bool_)

    def is_number(self, column: str) -> bool:
        """Whether the column holds numbers."""
        return is_number(self._types[column])

    def mark(self, states: States, column: str, ground: Ground) -> None:
        """Set the states of the cells that the query wrote, in rows with data; text, dates and codes are labels."""
        if not self.is_number(column):
            return
        if ground.is_mixed:
            states[self.are_present(column)] = PARTLY
        elif ground.alternatives:
            states[self._are_among(column, ground.written)] = WRITTEN
        elif not self._is_label(column):
            states[self.are_present(column)] = WRITTEN

    def _are_among(self, column: str, written: frozenset[float | None]) -> Flags:
        constants = [each for each in written if each is not None and each not in _WITHOUT_MEANING]
        if not constants:
            return np.zeros(self._record.rows, dtype=np.bool_)
        numbers = pc.cast(self._read(column), pa.float64(), safe=False)
        return np.asarray(pc.is_in(numbers, pa.array(constants, pa.float64())).to_numpy(zero_copy_only=False))

    def _is_label(self, column: str) -> bool:
        """Whether the numbers only tell rows apart: codes such as 0 and 1, or years."""
        values = pc.drop_null(pc.unique(self._read(column)))
        if len(values) > _MOST_VALUES:
            return False
        numbers = [float(each) for each in values.to_pylist()]
        is_year = all(each.is_integer() and _YEARS[0] <= each <= _YEARS[1] for each in numbers)
        return is_code(numbers) or (is_year and pa.types.is_integer(values.type))

    def _read(self, column: str) -> pa.ChunkedArray:
        return self._store.read(self._record, 0, self._record.rows, [column]).column(0)
