"""What the cells of a dataset stand on: a state for each cell, and which rows are made of a query alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.model.dataset import DatasetRecord

GROUNDED, PARTLY, WRITTEN = 0, 1, 2
"""What a cell stands on: data, data and written values together, or written values only."""

WORDS = ("data", "partly", "written")
"""The states as users know them."""

States = npt.NDArray[np.int8]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class CellGrounds:
    """The states of the cells of one dataset: columns that stand on data throughout are left out."""

    columns: Mapping[str, States] = field(default_factory=dict)
    written_rows: Flags | None = None
    """Rows that are made of nothing but a query, however far back; None where there are none."""

    @property
    def is_grounded(self) -> bool:
        """Whether every cell stands on data."""
        return not self.columns

    @property
    def is_all_written(self) -> bool:
        """Whether every row is made of nothing but a query."""
        return self.written_rows is not None and bool(self.written_rows.all())

    def state(self, row: int, column: str) -> int:
        """What one cell stands on."""
        return int(self.columns[column][row]) if column in self.columns else GROUNDED

    def to_table(self, record: DatasetRecord) -> pa.Table:
        """The states of all cells in words, a column for each column of the dataset."""
        data = np.zeros(record.rows, dtype=np.int8)
        states = {name: self.columns.get(name, data) for name in record.schema.names}
        return pa.table({name: pa.DictionaryArray.from_arrays(pa.array(each), WORDS) for name, each in states.items()})
