"""Tells rows with equal keys together: each row gets the number of its combination of values.

Keys of bins are computed from a whole number, that of the bin. Rows are then told apart by this number, which needs no
table of hashes, and the keys are computed once for each bin instead of once for each row.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.engine.array_expressions import ArrayExpressions
from whence.engine.array_values import Array, ArrayValues, NotInArrays
from whence.plan.expr import Expr, literal

Codes = npt.NDArray[np.int64]

_STEPS = ("floor", "ceil")
_WHOLE = ("tinyint", "smallint", "int", "bigint", "date", "boolean")
_FEW = 2**16
"""So many counters cost next to nothing; more are worth it if rows are as many."""


class KeyColumns:
    """The keys of a grouping, and what rows are told apart by."""

    def __init__(self, keys: Sequence[Expr]) -> None:
        self._keys = tuple(keys)

    @cached_property
    def _parts(self) -> tuple[Expr, ...]:
        return tuple(dict.fromkeys(find_step(each) or each for each in self._keys))

    def combine(self, values: ArrayExpressions, rows: int) -> tuple[Codes, list[ArrayValues]]:
        """Return the combination of each row, and the keys of each combination. Several may have the same keys."""
        codes, chosen, distinct = np.zeros(rows, dtype=np.int64), list[Codes](), list[ArrayValues]()
        count = min(1, rows)
        for part in self._parts:
            indices, found, size = encode(values.evaluate(part), rows)
            codes, present = _compressed(codes * size + indices, count * size)
            chosen = [*(each[present // max(1, size)] for each in chosen), present % max(1, size)]
            distinct.append(found)
            count = len(present)
        known = {part: _take(each, at) for part, each, at in zip(self._parts, distinct, chosen, strict=True)}
        combinations = ArrayExpressions(known)
        return codes, [_of_length(combinations.evaluate(key), count) for key in self._keys]


def find_step(key: Expr) -> Expr | None:
    """Return the whole number from which alone a key is computed, such as that of a bin; None if there is none."""
    steps = dict.fromkeys(each for each in key.walk() if each.kind == "call" and each.name in _STEPS)
    return next((each for each in steps if each.columns and not _without(key, each).columns), None)


def _without(key: Expr, step: Expr) -> Expr:
    return key.replace(lambda node: _NOTHING if node == step else None)


_NOTHING = literal(0, "int")


def encode(values: ArrayValues, rows: int) -> tuple[Codes, ArrayValues, int]:
    """Return for each row the place of its value, the values by place, and how many places there are."""
    if values.kind in _WHOLE and rows:
        found = _encode_whole(values, rows)
        if found is not None:
            return found
    encoded = dictionary_encoded(values, rows)
    return (
        encoded.indices.to_numpy().astype(np.int64),
        _values_of(encoded.dictionary, values.kind),
        len(encoded.dictionary),
    )


def _encode_whole(values: ArrayValues, rows: int) -> tuple[Codes, ArrayValues, int] | None:
    """Return the same by counting, if whole numbers lie close together; None if they do not."""
    numbers = np.broadcast_to(values.numbers, (rows,)).astype(np.int64)
    valid = None if values.valid is None else np.broadcast_to(values.valid, (rows,))
    there = numbers if valid is None else numbers[valid]
    low, high = (int(there.min()), int(there.max())) if len(there) else (0, 0)
    if high - low >= max(_FEW, rows):
        return None
    missing = high - low + 1
    places = numbers - low if valid is None else np.where(valid, numbers - low, missing)
    codes, present = _compressed(places, missing + 1)
    type_of = np.bool_ if values.kind == "boolean" else np.int64
    data: Array = np.where(present == missing, 0, present + low).astype(type_of)
    return codes, ArrayValues(data, values.kind, None if valid is None else present != missing), len(present)


def _compressed(numbers: Codes, size: int) -> tuple[Codes, Codes]:
    """Return numbers below `size` without gaps, and the number that each stands for."""
    if size > max(_FEW, 4 * len(numbers)):
        present, codes = np.unique(numbers, return_inverse=True)
        return codes.astype(np.int64), present
    present = np.flatnonzero(np.bincount(numbers, minlength=size)).astype(np.int64)
    places = np.zeros(size, dtype=np.int64)
    places[present] = np.arange(len(present))
    return places[numbers], present


def dictionary_encoded(key: ArrayValues, rows: int) -> pa.DictionaryArray:
    """Return values as places in a dictionary, which may hold NULL, as Spark groups them."""
    if isinstance(key.data, pa.ChunkedArray):
        return key.data.combine_chunks().dictionary_encode(null_encoding="encode")
    data = np.broadcast_to(key.data, (rows,))
    # As Spark groups: zero and minus zero are one value.
    data = data + 0.0 if key.kind == "double" else data
    if key.kind == "double" and np.isnan(data[np.broadcast_to(key.is_valid, (rows,))].astype(np.float64)).any():
        raise NotInArrays("NaN")
    mask = None if key.valid is None else np.broadcast_to(~key.valid, (rows,))
    return pa.array(data, mask=mask).dictionary_encode(null_encoding="encode")


def _values_of(dictionary: pa.Array, kind: str) -> ArrayValues:
    if kind == "string":
        return ArrayValues(pa.chunked_array([dictionary.cast(pa.string())]), kind)
    valid = None if not dictionary.null_count else np.asarray(dictionary.is_valid().to_numpy(zero_copy_only=False))
    return ArrayValues(dictionary.fill_null(_zero(dictionary)).to_numpy(zero_copy_only=False), kind, valid)


def _zero(values: pa.Array) -> object:
    return False if pa.types.is_boolean(values.type) else 0


def _take(values: ArrayValues, places: Codes) -> ArrayValues:
    data = values.data.take(pa.array(places)) if isinstance(values.data, pa.ChunkedArray) else values.data[places]
    return ArrayValues(data, values.kind, None if values.valid is None else values.valid[places])


def _of_length(values: ArrayValues, count: int) -> ArrayValues:
    """Return one value for each combination, also of a key that is a constant."""
    if isinstance(values.data, pa.ChunkedArray):
        return values
    valid = None if values.valid is None else np.broadcast_to(values.valid, (count,))
    return ArrayValues(np.broadcast_to(values.data, (count,)), values.kind, valid)
