"""The summary of selected cells: how many are filled, how many are numbers, and their sum, average and extremes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from whence.notebook.sheet.ladder import kind_of
from whence.notebook.sheet.log import SheetLog
from whence.notebook.sheet.places import values_at
from whence.notebook.sheet.rowset import Rows

_NUMBERS = ("whole", "decimal", "double")


@dataclass(frozen=True)
class Summary:
    """How many cells are filled and how many of them are numbers, and the sum and the extremes of the numbers."""

    filled: int
    numbers: int
    sum: float | None
    min: float | None
    max: float | None

    @property
    def average(self) -> float | None:
        """The average of the numbers; None if there are none."""
        return None if self.sum is None else self.sum / self.numbers


def summary(sheet: SheetLog, positions: Rows, columns: Iterable[str]) -> Summary:
    """Return the summary of the cells where these rows and columns meet."""
    filled, numbers = 0, []
    for column in columns:
        chosen = values_at(sheet, sheet.state.columns[column], positions)
        filled += len(chosen) - chosen.null_count
        if kind_of(sheet.cells.types[column]) in _NUMBERS:
            # Not safe: a whole number beyond 2**53 is rounded instead of refused.
            numbers.append(chosen.drop_null().cast(pa.float64(), safe=False))
    every = pa.chunked_array(numbers, pa.float64())
    if not len(every):
        return Summary(filled, 0, None, None, None)
    extremes = pc.min_max(every).as_py()
    return Summary(filled, len(every), pc.sum(every).as_py(), extremes["min"], extremes["max"])
