"""Converts stored values to JSON without loss: a value that JSON cannot hold exactly becomes text."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal

import pyarrow as pa

LARGEST_EXACT = 2**53 - 1
"""The largest whole number that JavaScript, which has only doubles, holds exactly."""


def column_to_json(column: pa.ChunkedArray) -> list[object]:
    """Return the values of a column, each as `to_json` writes it."""
    if pa.types.is_float32(column.type):
        # Arrow writes the shortest text that gives back the same 32-bit number: 0.1, not 0.10000000149011612.
        texts = column.cast(pa.string()).to_pylist()
        return [None if text is None else to_json(float(text)) for text in texts]
    return [to_json(value) for value in column.to_pylist()]


def table_to_rows(table: pa.Table) -> list[list[object]]:
    """Return the rows of a table, each a list of JSON values in column order."""
    if table.num_columns == 0:
        return [[] for _ in range(table.num_rows)]
    return [list(row) for row in zip(*(column_to_json(column) for column in table.columns), strict=True)]


def to_json(value: object) -> object:
    """Convert one value to something that JSON can hold exactly.

    >>> to_json(2**60), to_json(float("nan")), to_json(Decimal("1.50")), to_json(b"ab"), to_json(date(2024, 2, 29))
    ('1152921504606846976', 'NaN', '1.50', '6162', '2024-02-29')
    """
    match value:
        case None | bool() | str():
            return value
        case int():
            return value if abs(value) <= LARGEST_EXACT else str(value)
        case float():
            return _float_to_json(value)
        case Decimal():
            return format(value, "f") if value.is_finite() else str(value)
        case date() | time():  # A datetime is a date, too.
            return str(value)
        case bytes():
            return value.hex()
        case Mapping():
            return {str(key): to_json(inner) for key, inner in value.items()}
        case list() | tuple():
            return [to_json(inner) for inner in value]
        case timedelta():
            return _duration(value)
        case _:
            return str(value)


def _float_to_json(value: float) -> object:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    # JavaScript shows minus zero as 0.
    return "-0.0" if value == 0 and math.copysign(1, value) < 0 else value


def _duration(value: timedelta) -> str:
    sign = "-" if value < timedelta(0) else ""
    value = abs(value)
    clock = (datetime.min + timedelta(seconds=value.seconds, microseconds=value.microseconds)).time()
    return f"{sign}{value.days} days {clock.isoformat()}"
