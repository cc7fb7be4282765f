"""Turns what a Python function returned into rows that are equal if Spark would store equal rows."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
from pyspark.sql.types import DataType, NumericType, StructType

from whence.model.lazy_module import LazyModule

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

ComparableRow = tuple[Hashable, ...]


def comparable_rows(batches: Iterable[Any], returned: StructType) -> list[ComparableRow]:
    """The rows of pandas frames or Arrow batches that a function with this schema returned."""
    rows: list[ComparableRow] = []
    for batch in batches:
        rows.extend(_of_frame(batch, returned) if isinstance(batch, pd.DataFrame) else _of_arrow(batch, returned))
    return rows


def _of_frame(frame: pd.DataFrame, returned: StructType) -> Iterable[ComparableRow]:
    if not len(frame):
        return ()
    has_names = any(isinstance(label, str) for label in frame.columns)
    columns = [
        (frame[each.name] if has_names else frame.iloc[:, number], each.dataType)
        for number, each in enumerate(returned.fields)
    ]
    return zip(*([_value(value, of) for value in column] for column, of in columns), strict=True)


def _of_arrow(batch: Any, returned: StructType) -> Iterable[ComparableRow]:  # noqa: ANN401 - an Arrow batch or table
    columns = [batch.column(number).to_pylist() for number in range(len(returned))]
    return zip(*([exact_value(value) for value in column] for column in columns), strict=True)


def _value(value: object, of: DataType) -> Hashable:
    """A value of a frame: in columns of numbers 1 and 1.0 are the same, as are all ways to say that one is missing."""
    if value is None or value is pd.NaT or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(of, NumericType) and isinstance(value, bool | np.bool_ | int | float | np.number):
        return _number(value.item() if isinstance(value, np.generic) else value)
    return exact_value(value)


def _number(number: float) -> Hashable:
    if number == 0 and math.copysign(1, number) < 0:
        return "-0.0"
    return int(number) if isinstance(number, int) or number.is_integer() else number


def exact_value(value: object) -> Hashable:
    """Return any value, with its type, in a form that can be compared."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.ndarray | list | tuple):
        return (type(value).__name__, *map(exact_value, value))
    if isinstance(value, dict):
        return ("dict", *((exact_value(key), exact_value(inner)) for key, inner in value.items()))
    if isinstance(value, float | Decimal):
        return (type(value).__name__, str(value))  # NaN is equal to itself, and -0.0 is not 0.0
    if isinstance(value, bytearray):
        return ("bytearray", bytes(value))
    return (type(value).__name__, repr(value) if type(value).__hash__ is None else value)
