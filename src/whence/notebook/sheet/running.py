"""Totals over many ranges of a column at once: ranges that begin in the same row, or short ones of the same length."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from whence.notebook.sheet.formula.errors import DIV, REF, error
from whence.notebook.sheet.formula.vector import NotVector, Vector
from whence.notebook.sheet.rowset import Rows

_SHORT = 64
"""Rows that a range of `sliding` has at most: it adds them up step by step."""
_SURE = 2.0**62
"""If an estimate in floating point is not above this, a sum of whole numbers does not leave 64 bits."""


class Running:
    """Running totals and counts of a column, from one position on."""

    def __init__(self, values: pa.Array, first: int) -> None:
        kind = values.type
        if not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
            raise NotVector
        self._first = first
        part = values.slice(first)
        numbers = _finite(part)
        self._counts = np.cumsum(pc.is_valid(part).to_numpy(zero_copy_only=False))
        self._totals: npt.NDArray[np.int64] | npt.NDArray[np.longdouble]
        if pa.types.is_integer(kind):
            if float(np.abs(numbers.astype(np.float64)).sum()) > _SURE:
                raise NotVector
            self._totals = np.cumsum(numbers, dtype=np.int64)
        else:  # more digits than a double, so that ten million additions do not show
            self._totals = np.cumsum(numbers, dtype=np.longdouble)

    def vector(self, name: str, last: Rows) -> Vector:
        """Return SUM, COUNT or AVERAGE from the first position to each of these."""
        return _aggregate_vector(name, self._totals[last - self._first], self._counts[last - self._first])


def sliding(name: str, values: pa.Array, first: Rows, width: int) -> Vector:
    """Return SUM, COUNT or AVERAGE over `width` rows from each of these positions on."""
    kind = values.type
    if width > _SHORT or not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        raise NotVector
    numbers = _finite(values)
    if pa.types.is_integer(kind) and float(np.abs(numbers.astype(np.float64)).max(initial=0)) * width > _SURE:
        raise NotVector
    numbers = numbers.astype(np.int64 if pa.types.is_integer(kind) else np.longdouble)
    valid = pc.is_valid(values).to_numpy(zero_copy_only=False)
    totals, counts = numbers[first], valid[first].astype(np.int64)
    for step in range(1, width):
        totals = totals + numbers[first + step]
        counts = counts + valid[first + step]
    return _aggregate_vector(name, totals, counts)


def beyond(vector: Vector, inside: npt.NDArray[np.bool_]) -> Vector:
    """Return the values of the rows inside, spread over all rows; the others are #REF!."""
    count = len(inside)
    data: npt.NDArray[Any] = np.zeros(count, vector.data.dtype)
    missing = np.zeros(count, dtype=bool)
    data[inside], missing[inside] = vector.data, vector.missing
    failure = error(REF)
    errors = tuple(dict.fromkeys((*vector.errors, failure)))
    codes = np.full(count, errors.index(failure) + 1, dtype=np.int32)
    codes[inside] = 0 if vector.codes is None else vector.codes
    return Vector(data, missing, codes, errors)


def _finite(values: pa.Array) -> npt.NDArray[Any]:
    """Return the numbers, 0 for null; raise NotVector if one is infinite or not a number."""
    numbers: npt.NDArray[Any] = pc.fill_null(values, pa.scalar(0, values.type)).to_numpy(zero_copy_only=False)
    if not np.isfinite(numbers).all():
        raise NotVector
    return numbers


def _aggregate_vector(name: str, totals: npt.NDArray[Any], counts: npt.NDArray[np.int64]) -> Vector:
    none = np.zeros(len(counts), dtype=bool)
    if name == "COUNT":
        return Vector(counts.astype(np.int64), none)
    if name == "SUM":
        whole: npt.NDArray[Any] = totals if totals.dtype == np.int64 else totals.astype(np.float64)
        return Vector(whole, none)
    empty = counts == 0
    means: npt.NDArray[Any] = (totals / np.where(empty, 1, counts)).astype(np.float64)
    failure = error(DIV, "There is no number to average.")
    return Vector(means, none, empty.astype(np.int32), (failure,)) if empty.any() else Vector(means, none)
