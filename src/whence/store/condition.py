"""Conditions for `where=`: one comparison of a column with a value of its type, with SQL's meaning.

A null satisfies no comparison. NaN equals itself and is greater than all numbers, as in Spark.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal, get_args

import pyarrow as pa
import pyarrow.compute as pc

from whence.model.errors import BadInput
from whence.store.order import type_of

Op = Literal["=", "!=", "<", "<=", ">", ">=", "contains", "starts_with", "is_null", "is_not_null", "in", "between"]

OPS: tuple[str, ...] = get_args(Op)


@dataclass(frozen=True)
class Clause:
    """One condition. `values` are of the column's type: none, one, two (between) or any number (in)."""

    column: str
    op: str
    values: tuple[pa.Scalar, ...] = ()

    @property
    def text(self) -> list[object]:
        """Return what distinguishes this clause from any other."""
        return [self.column, self.op, [repr(value.as_py()) for value in self.values]]


def clauses(types: pa.Schema, given: Sequence[object]) -> tuple[Clause, ...]:
    """Parse `("x", "=", 3)`, `("x", "is_null")`, `("x", "in", [1, 2])` or `("x", "between", (1, 5))`.

    >>> clauses(pa.schema([("x", pa.int64())]), [("x", "=", 3)])[0].text
    ['x', '=', ['3']]
    """
    return tuple(_clause(types, each) for each in given)


def passing(table: pa.Table, wanted: Sequence[Clause]) -> pa.ChunkedArray:
    """Return for each row whether all clauses hold. The result has no nulls."""
    passed = None
    for clause in wanted:
        mask = _mask(table[clause.column], clause)
        passed = mask if passed is None else pc.and_(passed, mask)
    return passed


def _clause(types: pa.Schema, given: object) -> Clause:
    match given:
        case Clause():
            return given
        case (str(column), "is_null" | "is_not_null" as op) | (str(column), "is_null" | "is_not_null" as op, None):
            type_of(types, column)
            return Clause(column, op)
        case (str(column), str(op), value) if op in OPS:
            kind = type_of(types, column)
            _check_op(column, kind, op)
            return Clause(column, op, tuple(_fitted(column, kind, each) for each in _several(op, value)))
    known = ", ".join(OPS)
    raise BadInput(f"{given!r} is not a condition.", f'For example: ("x", "=", 3); the comparisons are {known}.')


def _check_op(column: str, kind: pa.DataType, op: str) -> None:
    if pa.types.is_nested(kind):
        raise BadInput(f"Column {column} holds {kind}, which cannot be compared.", "Use is_null or is_not_null.")
    if op in ("contains", "starts_with") and not pa.types.is_string(kind):
        raise BadInput(f"Column {column} holds {kind}, and {op} needs text.", "Use a comparison such as =.")


def _several(op: str, value: object) -> Sequence[object]:
    if op not in ("in", "between"):
        return (value,)
    if not isinstance(value, Sequence) or isinstance(value, str | bytes) or (op == "between" and len(value) != 2):
        raise BadInput(f"{op} needs {'two values' if op == 'between' else 'a list of values'}, not {value!r}.")
    return value


def _fitted(column: str, kind: pa.DataType, value: object) -> pa.Scalar:
    """Return the value in the column's own type. Dates, times and decimals may be given as text."""
    try:
        if isinstance(value, str) and _is_written(kind):
            return pc.cast(pa.scalar(value), kind)
        # Python's True is an int, so Arrow would take it for the number 1.
        if isinstance(value, bool) != pa.types.is_boolean(kind) or _would_change(kind, value):
            raise pa.ArrowInvalid("of another kind")
        return pa.scalar(value, kind)
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        hint = "Use is_null." if value is None else "Give a value of the column's type."
        raise BadInput(f"{value!r} does not fit column {column}, which holds {kind}.", hint) from error


def _is_written(kind: pa.DataType) -> bool:
    return bool(pa.types.is_temporal(kind) or pa.types.is_decimal(kind))


def _would_change(kind: pa.DataType, value: object) -> bool:
    """Whether Arrow would change the value.

    Arrow cuts 1.5 to 1 and a time to its day, and takes a number for days or microseconds since 1970.
    """
    if value is None:
        return True
    if pa.types.is_integer(kind):
        return isinstance(value, float) and not value.is_integer()
    if pa.types.is_date(kind):
        return not isinstance(value, date) or isinstance(value, datetime)
    if not pa.types.is_timestamp(kind):
        return False
    return not isinstance(value, datetime) or (value.tzinfo is None) != (kind.tz is None)


def _mask(column: pa.ChunkedArray, clause: Clause) -> pa.ChunkedArray:
    if clause.op == "is_null":
        return column.is_null()
    if clause.op == "is_not_null":
        return column.is_valid()
    if clause.op == "in":
        listed = pa.array(clause.values, column.type)
        return pc.and_(pc.is_in(_one_zero(column), _one_zero(listed)), column.is_valid())
    return pc.fill_null(_compared(column, clause), False)


def _one_zero(values: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Replace -0.0 by 0.0, because Arrow's sets tell them apart."""
    return pc.add(values, pa.scalar(0.0, values.type)) if pa.types.is_floating(values.type) else values


def _compared(column: pa.ChunkedArray, clause: Clause) -> pa.ChunkedArray:
    match clause.op:
        case "contains":
            return pc.match_substring(column, clause.values[0].as_py())
        case "starts_with":
            return pc.starts_with(column, clause.values[0].as_py())
        case "between":
            low, high = clause.values
            return pc.and_(_compare(column, ">=", low), _compare(column, "<=", high))
    return _compare(column, clause.op, clause.values[0])


_COMPARISONS: dict[str, Callable[..., pa.ChunkedArray]] = {
    "=": pc.equal,
    "!=": pc.not_equal,
    "<": pc.less,
    "<=": pc.less_equal,
    ">": pc.greater,
    ">=": pc.greater_equal,
}


def _compare(column: pa.ChunkedArray, op: str, value: pa.Scalar) -> pa.ChunkedArray:
    if not pa.types.is_floating(column.type):
        return _COMPARISONS[op](column, value)
    is_nan = pc.is_nan(column)
    if math.isnan(value.as_py()):
        return _against_nan(is_nan, op)
    plain = _COMPARISONS[op](column, value)
    # NaN is greater than every number in Spark. Arrow says that it is neither greater nor less.
    return pc.or_(plain, is_nan) if op in (">", ">=") else plain


def _against_nan(is_nan: pa.ChunkedArray, op: str) -> pa.ChunkedArray:
    """Compare with NaN, the greatest number: a number is less, NaN is equal, nothing is greater."""
    number = pc.invert(is_nan)
    if op in ("=", ">="):
        return is_nan
    if op in ("!=", "<"):
        return number
    return pc.or_(is_nan, number) if op == "<=" else pc.and_(is_nan, number)
