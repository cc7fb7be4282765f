"""Sort keys for `sort=`, and the order of values of each type: Spark's, with NaN above all numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.model.errors import BadInput, NotSupported, UnknownColumn


@dataclass(frozen=True)
class SortKey:
    """One column to sort by, with its direction and the place of nulls."""

    column: str
    is_ascending: bool = True
    nulls_first: bool = True


def sort_keys(types: pa.Schema, given: Sequence[object]) -> tuple[SortKey, ...]:
    """Parse `"x"`, `("x", "desc")` or `("x", "asc", "nulls last")`. Nulls sort as the least value by default.

    >>> sort_keys(pa.schema([("x", pa.int64())]), [("x", "desc")])
    (SortKey(column='x', is_ascending=False, nulls_first=False),)
    """
    keys = tuple(_sort_key(each) for each in given)
    for key in keys:
        kind = type_of(types, key.column)
        if pa.types.is_nested(kind):
            raise NotSupported(f"Column {key.column} holds {kind}, which has no order.", "Sort by another column.")
    return keys


def type_of(types: pa.Schema, column: str) -> pa.DataType:
    """Return the type of a column. Raise `UnknownColumn` if there is none."""
    if column not in types.names:
        raise UnknownColumn(f"There is no column {column}.", f"There are {', '.join(types.names)}.")
    return types.field(column).type


def _sort_key(given: object) -> SortKey:
    match given:
        case SortKey():
            return given
        case str(column) | (str(column),):
            return SortKey(column)
        case (str(column), "asc" | "desc" as direction):
            return SortKey(column, direction == "asc", direction == "asc")
        case (str(column), "asc" | "desc" as direction, "nulls first" | "nulls last" as nulls):
            return SortKey(column, direction == "asc", nulls == "nulls first")
        case (str(column), bool(is_ascending), bool(nulls_first)):
            return SortKey(column, is_ascending, nulls_first)
    raise BadInput(f"{given!r} does not say how to sort.", 'For example: sort=["day", ("amount", "desc")].')


def comparable(column: pa.ChunkedArray) -> pa.Array:
    """Return the column in a form whose plain order is the order wanted."""
    values = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_boolean(values.type):
        return pc.cast(values, pa.int8())
    return _ordered_bits(values) if pa.types.is_floating(values.type) else values


def _ordered_bits(values: pa.Array) -> pa.Array:
    """Return floats as integers of the same order. Arrow sorts NaN next to the nulls, Spark sorts it after infinity."""
    numbers = pc.fill_null(pc.cast(values, pa.float64()), 0.0).to_numpy(zero_copy_only=False) + 0.0
    bits = np.where(np.isnan(numbers), np.nan, numbers).view(np.int64)
    # The bits of a negative double rise as the number falls, so all but the sign are flipped.
    ordered = bits ^ ((bits >> 63) & np.int64(0x7FFF_FFFF_FFFF_FFFF))
    ordered[np.isnan(numbers)] = np.iinfo(np.int64).max
    return pa.array(ordered, mask=values.is_null().to_numpy(zero_copy_only=False))
