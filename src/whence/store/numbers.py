"""Converts ordered values (numbers, dates, times) to NumPy numbers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Numbers = npt.NDArray[np.int64] | npt.NDArray[np.float64]


def as_numbers(values: pa.Array) -> Numbers:
    """Return integers, dates and times as int64, and other numbers as doubles. No value may be null."""
    if pa.types.is_date(values.type):
        values = values.view(pa.int32())
    is_whole = pa.types.is_integer(values.type) or pa.types.is_timestamp(values.type)
    numbers: Numbers = pc.cast(values, pa.int64() if is_whole else pa.float64()).to_numpy(zero_copy_only=False)
    return numbers
