"""Find columns that repeat the measure: a range of such a column says which values are extreme, not why."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.explain.arrays import Columns, Floats, Ints
from whence.explain.coding import floats

_NEARLY = 0.85
"""The correlation from which a column repeats the measure. Departure and arrival delays have 0.90 on the median day."""

_LEAST = 10
"""The fewest rows of a group whose correlation counts."""

_FEW = 12
"""A column with at most so many distinct values names kinds of rows and does not repeat a measure."""


@dataclass(frozen=True)
class MeasureRows:
    """The measures row by row, the group of each row, and the name that users know the measure by."""

    columns: Columns
    owner: Ints
    name: str

    def mirror_reason(self, values: pa.Array) -> str:
        """Return why a column that follows the measure is left out, or "" if it does not follow it.

        The median over the groups decides: rows that are wrong in both columns tie them together in a few groups only,
        and there the other column is a good answer.
        """
        kind = values.type
        is_number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
        if not is_number or pc.count_distinct(values).as_py() <= _FEW:
            return ""
        other = floats(values)
        found = max((_median_correlation(each, other, self.owner) for each in self.columns), default=0.0)
        if found < _NEARLY:
            return ""
        return f"it follows {self.name} almost exactly (correlation {found:.2f} within groups)"


def _median_correlation(one: Floats, other: Floats, owner: Ints) -> float:
    """Return the median over groups of the absolute correlation of two columns.

    >>> a, groups = np.arange(20.0), np.repeat([0, 1], 10)
    >>> _median_correlation(a, 3 - a, groups), _median_correlation(a, a % 2, groups) < 0.2
    (1.0, True)
    """
    known = np.isfinite(one) & np.isfinite(other)
    owner = owner[known]
    first, second = _centred(one[known], owner), _centred(other[known], owner)
    counts = np.bincount(owner)
    together = np.bincount(owner, first * second)
    apart = np.sqrt(np.bincount(owner, first**2) * np.bincount(owner, second**2))
    # A constant column has no correlation. 1e-12 is rounding error.
    is_told = (counts >= _LEAST) & (apart > 1e-12 * (1 + np.abs(together)))
    return round(float(np.median(np.abs(together[is_told] / apart[is_told]))), 12) if is_told.any() else 0.0


def _centred(column: Floats, owner: Ints) -> Floats:
    """Return the values less the mean of their group."""
    centred: Floats = column - (np.bincount(owner, column) / np.maximum(np.bincount(owner), 1))[owner]
    return centred
