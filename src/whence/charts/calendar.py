"""Keeps times of marks within the years that Python knows: the last bin of a date 9999-12-31 ends after them."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

_FIRST, _LAST = -62_135_596_800_000_000, 253_402_300_799_999_999
"""The first microsecond of the year 1, and the last of 9999, since 1970."""


def within_calendar(marks: pa.Table) -> pa.Table:
    """Return a table whose times before the year 1 or after 9999 are the first or the last of these years.

    >>> late = pa.array([253_402_300_800_000_000, None]).cast(pa.timestamp("us"))
    >>> within_calendar(pa.table({"x2": late})).to_pylist()
    [{'x2': datetime.datetime(9999, 12, 31, 23, 59, 59, 999999)}, {'x2': None}]
    """
    for place, field in enumerate(marks.schema):
        if pa.types.is_timestamp(field.type):
            marks = marks.set_column(place, field, _bounded(marks.column(place)))
    return marks


def _bounded(times: pa.ChunkedArray) -> pa.ChunkedArray:
    # As numbers, because Arrow finds no least of two times in a time zone.
    numbers = pc.cast(pc.cast(times, pa.timestamp("us", times.type.tz)), pa.int64())
    numbers = pc.max_element_wise(numbers, _FIRST, skip_nulls=False)
    numbers = pc.min_element_wise(numbers, _LAST, skip_nulls=False)
    return pc.cast(pc.cast(numbers, pa.timestamp("us", times.type.tz)), times.type)
