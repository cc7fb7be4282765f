"""Evaluates expressions over arrays of a dataset's columns, as Spark evaluates them."""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.engine.array_values import FUNCTIONS, Array, ArrayValues, Mask, NotInArrays
from whence.plan.expr import Column, Expr

_WHOLE = ("tinyint", "smallint", "int", "bigint")
_DAY = 86_400_000_000
"""Microseconds."""


class ArrayExpressions:
    """Expressions over some values. Each is evaluated once."""

    def __init__(self, known: Mapping[Expr, ArrayValues]) -> None:
        """`known` are values of expressions, such as the columns that others read."""
        self._known = dict(known)

    def evaluate(self, expr: Expr) -> ArrayValues:
        """Return the values of an expression, or raise NotInArrays."""
        found = self._known.get(expr)
        if found is None:
            found = self._known[expr] = self._evaluate(expr)
        return found

    def _evaluate(self, expr: Expr) -> ArrayValues:
        if expr.kind == "literal":
            return _constant(expr)
        if expr.kind not in ("call", "and", "or", "not", "if", "alias"):
            raise NotInArrays(expr.kind)
        args = tuple(map(self.evaluate, expr.args))
        if expr.kind == "alias":
            return args[0]
        if expr.name == "cast":
            return _cast(expr, args[0])
        if expr.name not in FUNCTIONS:
            raise NotInArrays(expr.name)
        return FUNCTIONS[expr.name](*args)


def column_values(column: Column, stored: pa.ChunkedArray) -> ArrayValues:
    """Return a stored column as values."""
    if column.type == "string":
        return ArrayValues(stored.cast(pa.string()), "string")
    valid = None if not stored.null_count else np.asarray(stored.is_valid().to_numpy())
    if column.type == "double":
        numbers = stored.fill_null(0.0).to_numpy()
        # Spark takes NaN for the greatest number, which NumPy does not.
        if np.isnan(numbers).any():
            raise NotInArrays("NaN")
        return ArrayValues(numbers, "double", valid)
    if column.type == "boolean":
        return ArrayValues(stored.fill_null(fill_value=False).to_numpy(), "boolean", valid)
    if column.type in _WHOLE:
        return ArrayValues(stored.fill_null(0).to_numpy().astype(np.int64), column.type, valid)
    if column.type == "date":
        days = stored.cast(pa.int32()).fill_null(0).to_numpy().astype(np.int64)
        return ArrayValues(days, "date", valid)
    if column.type == "timestamp" and pa.types.is_timestamp(stored.type) and stored.type.tz is not None:
        micros = pc.cast(stored.cast(pa.timestamp("us", stored.type.tz)), pa.int64()).fill_null(0).to_numpy()
        return ArrayValues(micros, "timestamp", valid)
    raise NotInArrays(column.type)


def keep(values: ArrayValues, mask: Mask) -> ArrayValues:
    """Return the values where the mask is set."""
    data = values.data.filter(pa.array(mask)) if isinstance(values.data, pa.ChunkedArray) else values.data[mask]
    return ArrayValues(data, values.kind, None if values.valid is None else values.valid[mask])


def _constant(expr: Expr) -> ArrayValues:
    value, kind = expr.value, expr.type
    if kind == "double" and isinstance(value, int | float | str):
        return ArrayValues(np.asarray(float(value)), kind)
    if kind in (*_WHOLE, "boolean") and isinstance(value, int):
        return ArrayValues(np.asarray(value), kind)
    if kind == "string" and isinstance(value, str):
        return ArrayValues(np.asarray(value, dtype=object), kind)
    if kind.startswith("decimal") and isinstance(value, str):
        return ArrayValues(np.asarray(value, dtype=object), "decimal")
    raise NotInArrays(f"a constant of type {kind}")


def _cast(expr: Expr, value: ArrayValues) -> ArrayValues:
    kind, to = value.kind, expr.type
    if kind == to:
        return value
    if to == "double" and kind in (*_WHOLE, "decimal"):
        return ArrayValues(np.asarray(value.numbers.astype(np.float64)), to, value.valid)
    # The one text that charts turn into a number.
    if to == "double" and kind == "string" and not value.numbers.shape and value.numbers == "infinity":
        return ArrayValues(np.asarray(np.inf), to)
    if kind in _WHOLE and to in _WHOLE and _WHOLE.index(kind) < _WHOLE.index(to):
        return ArrayValues(value.data, to, value.valid)
    if kind == "double" and to == "bigint":
        return _to_whole(value)
    if kind == "date" and to == "timestamp" and json.loads(str(expr.value)).get("timeZoneId") == "UTC":
        return ArrayValues(value.numbers.astype(np.int64) * _DAY, to, value.valid)
    raise NotInArrays(f"{kind} to {to}")


def _to_whole(value: ArrayValues) -> ArrayValues:
    numbers: Array = value.numbers
    whole = np.trunc(numbers.astype(np.float64))
    if not (np.abs(np.where(value.is_valid, whole, 0.0)) < 2.0**62).all():
        raise NotInArrays("overflow")
    with np.errstate(invalid="ignore"):
        return ArrayValues(np.asarray(whole.astype(np.int64)), "bigint", value.valid)
