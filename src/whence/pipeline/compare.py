"""Compares the values of two columns as a person would: 1 equals 1.0, missing equals missing, NaN equals NaN."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Mask = npt.NDArray[np.bool_]


def differ(before: pa.ChunkedArray, after: pa.ChunkedArray) -> Mask:
    """Return, for each place, whether the two values differ."""
    left, right = _plain(before), _plain(after)
    only_one = np.asarray(pc.not_equal(pc.is_null(left), pc.is_null(right)), dtype=bool)
    both = np.asarray(pc.and_(pc.is_valid(left), pc.is_valid(right)), dtype=bool)
    return only_one | (both & _unequal(left, right))


def _unequal(left: pa.ChunkedArray, right: pa.ChunkedArray) -> Mask:
    if _is_number(left.type) and _is_number(right.type):
        if pa.types.is_floating(left.type) or pa.types.is_floating(right.type):
            one, other = (pc.cast(each, pa.float64(), safe=False) for each in (left, right))
            unequal = pc.fill_null(pc.not_equal(one, other), False)
            both_nan = pc.fill_null(pc.and_(pc.is_nan(one), pc.is_nan(other)), False)
            return np.asarray(pc.and_(unequal, pc.invert(both_nan)), dtype=bool)
        return np.asarray(pc.fill_null(pc.not_equal(left, right), False), dtype=bool)
    if left.type == right.type and not pa.types.is_nested(left.type):
        return np.asarray(pc.fill_null(pc.not_equal(left, right), False), dtype=bool)
    if pa.types.is_nested(left.type) and pa.types.is_nested(right.type):
        return np.array(
            [one != other for one, other in zip(left.to_pylist(), right.to_pylist(), strict=True)], dtype=bool
        )
    # Values of different kinds, such as a text and a number, always differ.
    return np.ones(len(left), dtype=bool)


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def _plain(values: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return text in one width and encoding, and booleans as 1 and 0."""
    kind = values.type
    if pa.types.is_dictionary(kind):
        values = pc.cast(values, kind.value_type)
        kind = values.type
    if pa.types.is_boolean(kind):
        return pc.cast(values, pa.int8())
    return pc.cast(values, pa.large_string()) if pa.types.is_string(kind) else values
