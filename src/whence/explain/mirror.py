"""Finds columns that repeat the measure: a range of one says which values are extreme, not why."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.explain.arrays import Columns, Floats, Ints
from whence.explain.coding import floats

_NEARLY = 0.85
"""Departure and arrival delays of a day's flights have a correlation of 0.90 in the median day."""

_LEAST = 10
"""Rows of a group from which a correlation is read."""

_FEW = 12
"""A column with no more values than that names kinds of rows; it does not repeat a measure."""


@dataclass(frozen=True)
class Measured:
    """What is aggregated, row by row, with the group of each row and the name users know it by."""

    columns: Columns
    owner: Ints
    name: str

    def mirror_reason(self, values: pa.Array) -> str:
        """Why a column is left out that follows the measure; empty if it does not.

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
    """The median over groups of the correlation of two columns, without its sign.

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
    is_told = (counts >= _LEAST) & (apart > 1e-12 * (1 + np.abs(together)))
    return round(float(np.median(np.abs(together[is_told] / apart[is_told]))), 12) if is_told.any() else 0.0


def _centred(column: Floats, owner: Ints) -> Floats:
    """The values less the mean of their group."""
    centred: Floats = column - (np.bincount(owner, column) / np.maximum(np.bincount(owner), 1))[owner]
    return centred
