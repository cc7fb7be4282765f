"""Convert Arrow columns to numbers, and to the bins of an existing attribute."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.explain.arrays import Floats, Ints
from whence.explain.attribute import Attribute


def floats(values: pa.Array) -> Floats:
    """Return numbers as doubles, with NaN for NULL."""
    return np.asarray(pc.cast(values, pa.float64(), safe=False).to_numpy(zero_copy_only=False), dtype=np.float64)


def times(values: pa.Array) -> Floats:
    """Return dates as days and timestamps as microseconds since 1970, in the local time of the column's zone."""
    if pa.types.is_date(values.type):
        return floats(pc.cast(pc.cast(values, pa.date32()), pa.int32()))
    local = pc.local_timestamp(values) if values.type.tz is not None else values
    return floats(pc.cast(pc.cast(local, pa.timestamp("us")), pa.int64()))


def as_numbers(values: pa.Array) -> Floats:
    """Return a column as ranges compare it: dates as days, times as microseconds since 1970, NULL as NaN."""
    is_time = pa.types.is_date(values.type) or pa.types.is_timestamp(values.type)
    return times(values) if is_time else floats(values)


def in_zone(values: pa.Array, zone: str) -> pa.Array:
    """Return timestamps with a time zone in another zone, and any other column unchanged."""
    is_moment = pa.types.is_timestamp(values.type) and values.type.tz is not None
    return pc.cast(values, pa.timestamp("us", zone)) if is_moment else values


def numbers_of(attribute: Attribute, values: pa.Array) -> Floats:
    """Return the numbers that the bins of an attribute divide: the values, or their part such as the hour."""
    if attribute.part is not None:
        return attribute.part.numbers(times(values))
    return floats(values) if attribute.scale == "number" else times(values)


def codes_of(attribute: Attribute, values: pa.Array) -> Ints:
    """Return the bin of each value. A value between two bins belongs to the lower one."""
    if not attribute.is_ordered and attribute.part is None:
        found = pc.index_in(values, pa.array(attribute.labels, values.type))
        return np.asarray(pc.fill_null(found, attribute.size).to_numpy(zero_copy_only=False), dtype=np.int64)
    numbers = numbers_of(attribute, values)
    if attribute.is_ordered:
        # Values of all rows may lie where a sample had none: below the first bin, between bins, above the last.
        codes = np.searchsorted(attribute.lows[1:], numbers, side="right")
        return np.where(np.isnan(numbers), attribute.size, codes).astype(np.int64)
    return _listed(attribute, numbers)


def _listed(attribute: Attribute, numbers: Floats) -> Ints:
    codes = np.full(len(numbers), attribute.size, dtype=np.int64)
    for code, label in enumerate(attribute.labels):
        codes[np.isnan(numbers) if label is None else numbers == label] = code
    return codes
