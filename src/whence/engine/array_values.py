"""Values of an expression as NumPy arrays, and Spark's arithmetic and logic over them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Array = npt.NDArray[np.generic]
Mask = npt.NDArray[np.bool_]

_COMPARED = ("double", "bigint", "int", "smallint", "tinyint", "date", "timestamp")
"""Types whose values compare as their numbers do."""

_SAFE = 2.0**62
"""Whole numbers below this can be added and multiplied without an overflow, which Spark would report."""


class NotInArrays(Exception):
    """Arrays cannot compute this as Spark does, or not yet."""


@dataclass(frozen=True)
class ArrayValues:
    """The values of an expression: numbers, booleans or times in an array, or texts, and where there are any."""

    data: Array | pa.ChunkedArray
    kind: str
    """The Spark type. Times are microseconds since 1970, dates days."""
    valid: Mask | None = None
    """Where the value is not NULL; None if it never is."""

    @property
    def numbers(self) -> Array:
        """The values as an array."""
        if not isinstance(self.data, np.ndarray):
            raise NotInArrays(self.kind)
        return self.data

    @property
    def is_valid(self) -> Mask:
        """Where the value is not NULL."""
        if isinstance(self.data, pa.ChunkedArray):
            return np.asarray(self.data.is_valid().to_numpy(), dtype=bool)
        return np.ones(self.data.shape, dtype=bool) if self.valid is None else self.valid

    @property
    def is_true(self) -> Mask:
        """Where the value is true, not false or NULL."""
        return np.logical_and(self.numbers, self.is_valid)


def _both_valid(*args: ArrayValues) -> Mask | None:
    masks = [each.valid for each in args if each.valid is not None]
    return reduce(np.logical_and, masks) if masks else None


def _check_kinds(args: tuple[ArrayValues, ...], *kinds: str) -> str:
    kind = args[0].kind
    if kind not in kinds or any(each.kind != kind for each in args):
        raise NotInArrays(", ".join(each.kind for each in args))
    return kind


def _largest(values: Array) -> float:
    return float(np.max(np.abs(values.astype(np.float64)), initial=0.0))


def _arithmetic(
    compute: Callable[[Array, Array], Array], bound: Callable[[float, float], float]
) -> Callable[..., ArrayValues]:
    def apply(*args: ArrayValues) -> ArrayValues:
        kind = _check_kinds(args, "double", "bigint")
        left, right = (each.numbers for each in args)
        if kind == "bigint" and bound(_largest(left), _largest(right)) >= _SAFE:
            raise NotInArrays("overflow")
        with np.errstate(all="ignore"):
            return ArrayValues(compute(left, right), kind, _both_valid(*args))

    return apply


def _divide(*args: ArrayValues) -> ArrayValues:
    _check_kinds(args, "double")
    left, right = (each.numbers for each in args)
    if (np.asarray(right) == 0).any():  # Spark says where
        raise NotInArrays("division by zero")
    with np.errstate(all="ignore"):
        return ArrayValues(left / right, "double", _both_valid(*args))  # type: ignore[operator]


def _floor(value: ArrayValues) -> ArrayValues:
    _check_kinds((value,), "double")
    whole = np.floor(value.numbers.astype(np.float64))
    if not (np.abs(np.where(value.is_valid, whole, 0.0)) < _SAFE).all():
        raise NotInArrays("overflow")
    with np.errstate(invalid="ignore"):
        return ArrayValues(np.asarray(whole.astype(np.int64)), "bigint", value.valid)


def _round(value: ArrayValues, digits: ArrayValues) -> ArrayValues:
    """Return the nearest whole numbers, halves away from zero, as Spark rounds."""
    _check_kinds((value,), "double")
    if digits.numbers.shape or digits.numbers != 0:
        raise NotInArrays("digits")
    size = np.abs(value.numbers.astype(np.float64))
    whole = np.trunc(size)
    return ArrayValues(np.copysign(whole + (size - whole >= 0.5), value.numbers) + 0.0, "double", value.valid)


def _power(base: ArrayValues, exponent: ArrayValues) -> ArrayValues:
    """Return squares: other powers may differ from Java's in the last digit."""
    _check_kinds((base, exponent), "double")
    if exponent.numbers.shape or exponent.numbers != 2:
        raise NotInArrays("power")
    return ArrayValues(base.numbers * base.numbers, "double", base.valid)  # type: ignore[operator]


def _extreme(choose: Callable[[Array, Array], Array]) -> Callable[..., ArrayValues]:
    """Return the function of the least or greatest argument; Spark passes over NULLs."""

    def of_two(left: ArrayValues, right: ArrayValues) -> ArrayValues:
        kind = _check_kinds((left, right), "bigint", "double")
        chosen = choose(left.numbers, right.numbers)
        if left.valid is None and right.valid is None:
            return ArrayValues(chosen, kind)
        has_left, has_right = left.is_valid, right.is_valid
        found = np.where(has_left & has_right, chosen, np.where(has_left, left.numbers, right.numbers))
        return ArrayValues(found, kind, has_left | has_right)

    return lambda *args: reduce(of_two, args)


def _absolute(value: ArrayValues) -> ArrayValues:
    _check_kinds((value,), "double")
    return ArrayValues(np.abs(value.numbers), "double", value.valid)


def _comparison(compare: Callable[[Array, Array], Mask]) -> Callable[..., ArrayValues]:
    def apply(*args: ArrayValues) -> ArrayValues:
        _check_kinds(args, *_COMPARED)
        return ArrayValues(compare(*(each.numbers for each in args)), "boolean", _both_valid(*args))

    return apply


def _equal(left: ArrayValues, right: ArrayValues) -> ArrayValues:
    if left.kind == right.kind == "string":
        return _is_in(left, right)
    return _comparison(np.equal)(left, right)


def _is_in(value: ArrayValues, *among: ArrayValues) -> ArrayValues:
    if value.kind == "string" and isinstance(value.data, pa.ChunkedArray):
        _check_kinds(among, "string")
        # A column to compare with has no `numbers`: only constants can be looked up.
        texts = pa.array([str(each.numbers) for each in among], pa.string())
        is_found = pc.is_in(value.data, value_set=texts).to_numpy()
        return ArrayValues(np.asarray(is_found), "boolean", value.is_valid)
    return reduce(sql_or, (_comparison(np.equal)(value, each) for each in among))


def sql_and(left: ArrayValues, right: ArrayValues) -> ArrayValues:
    """AND of three truth values: false wins over NULL."""
    is_true = left.is_true & right.is_true
    is_false = (left.is_valid & ~left.is_true) | (right.is_valid & ~right.is_true)
    return ArrayValues(is_true, "boolean", is_true | is_false)


def sql_or(left: ArrayValues, right: ArrayValues) -> ArrayValues:
    """OR of three truth values: true wins over NULL."""
    is_true = left.is_true | right.is_true
    is_false = left.is_valid & ~left.is_true & right.is_valid & ~right.is_true
    return ArrayValues(is_true, "boolean", is_true | is_false)


def _negate(value: ArrayValues) -> ArrayValues:
    return ArrayValues(~value.is_true, "boolean", value.valid)


def _choose(condition: ArrayValues, then: ArrayValues, otherwise: ArrayValues) -> ArrayValues:
    kind = _check_kinds((then, otherwise), "double", "bigint")
    is_then = condition.is_true
    valid = None
    if then.valid is not None or otherwise.valid is not None:
        valid = np.where(is_then, then.is_valid, otherwise.is_valid)
    return ArrayValues(np.where(is_then, then.numbers, otherwise.numbers), kind, valid)


def _from_micros(value: ArrayValues) -> ArrayValues:
    _check_kinds((value,), "bigint")
    return ArrayValues(value.data, "timestamp", value.valid)


def _to_micros(value: ArrayValues) -> ArrayValues:
    _check_kinds((value,), "timestamp")
    return ArrayValues(value.data, "bigint", value.valid)


FUNCTIONS: Mapping[str, Callable[..., ArrayValues]] = {
    "add": _arithmetic(np.add, lambda left, right: left + right),
    "subtract": _arithmetic(np.subtract, lambda left, right: left + right),
    "multiply": _arithmetic(np.multiply, lambda left, right: left * right),
    "divide": _divide,
    "floor": _floor,
    "round": _round,
    "pow": _power,
    "abs": _absolute,
    "least": _extreme(np.minimum),
    "greatest": _extreme(np.maximum),
    "lessthan": _comparison(np.less),
    "lessthanorequal": _comparison(np.less_equal),
    "greaterthan": _comparison(np.greater),
    "greaterthanorequal": _comparison(np.greater_equal),
    "equalto": _equal,
    "in": _is_in,
    "isnull": lambda value: ArrayValues(~value.is_valid, "boolean"),
    "isnotnull": lambda value: ArrayValues(value.is_valid, "boolean"),
    "and": sql_and,
    "or": sql_or,
    "not": _negate,
    "if": _choose,
    "microstotimestamp": _from_micros,
    "unixmicros": _to_micros,
}
"""Spark's functions by the names that expressions have."""
