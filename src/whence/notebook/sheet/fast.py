"""Aggregates over very many numbers, in NumPy and Arrow."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from whence.notebook.sheet.formula.errors import DIV, NUM, error

UNKNOWN = object()
"""Returned for functions and types that this module does not compute."""

_FEW = 100_000
"""Up to this many floating-point numbers, a sum is rounded only once (`math.fsum`). NumPy or Arrow adds up more."""


def aggregate(name: str, values: pa.Array) -> object:
    """Return an aggregate of numbers as `formula.aggregates` defines it, or UNKNOWN."""
    kind = values.type
    if name == "COUNTA":
        return len(values) - values.null_count
    is_whole = pa.types.is_integer(kind)
    if not (is_whole or pa.types.is_floating(kind)):
        return UNKNOWN
    if len(values) > _FEW and values.null_count and not is_whole and name in ("SUM", "AVERAGE", "COUNT"):
        return _over_gaps(name, values)
    numbers = values.drop_null().to_numpy(zero_copy_only=False)
    match name:
        case "COUNT":
            return len(numbers)
        case "SUM":
            return _sum(numbers, is_whole)
        case "AVERAGE":
            if not len(numbers):
                return error(DIV, "There is no number to average.")
            whole = _sum(numbers, is_whole)
            return whole / len(numbers) if isinstance(whole, int | float) else whole
        case "MIN" | "MAX":
            if not len(numbers):
                return None
            found = numbers.min() if name == "MIN" else numbers.max()
            return int(found) if is_whole else float(found)
    return UNKNOWN


def _over_gaps(name: str, values: pa.Array) -> object:
    """Return the same without copying the numbers between nulls: for ten million, that takes longer than the sum."""
    count = len(values) - values.null_count
    if name == "COUNT":
        return count
    if not count:
        return 0.0 if name == "SUM" else error(DIV, "There is no number to average.")
    total = float(pc.sum(values).as_py())
    if not math.isfinite(total):
        return error(NUM)
    return total if name == "SUM" else total / count


def _sum(numbers: npt.NDArray[Any], is_whole: bool) -> object:
    if is_whole:
        # The estimate is rounded. Below 2**62 it is certain that the sum does not leave 64 bits.
        if len(numbers) and float(np.abs(numbers.astype(np.float64)).sum()) < 2.0**62:
            return int(numbers.sum(dtype=np.int64))
        total = sum(numbers.tolist())
        return total if -(2**63) <= total < 2**63 else error(NUM)
    total = math.fsum(numbers) if len(numbers) <= _FEW else float(numbers.sum())
    return total if math.isfinite(total) else error(NUM)
