"""Evaluates formulas over numbers in bulk, for many rows at once, in NumPy. Other formulas go row by row elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from whence.notebook.sheet.formula.errors import DIV, NUM, REF, FormulaError, error
from whence.notebook.sheet.formula.tree import (
    Area,
    Binary,
    Call,
    Cell,
    Copied,
    Logical,
    Number,
    Row,
    Stored,
    Tree,
    Unary,
)  # fmt: skip

Numbers = npt.NDArray[np.float64] | npt.NDArray[np.int64] | npt.NDArray[np.bool_]
Flags = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.int32]


class NotVector(Exception):
    """The formula cannot be computed in bulk: it reads other things than numbers, or uses a function unknown here."""


@dataclass(frozen=True)
class Vector:
    """One number or logical value for each row, and which of them are missing or failed.

    `codes` holds 0 for a row that did not fail; code n stands for `errors[n - 1]`.
    """

    data: Numbers
    missing: Flags
    codes: Codes | None = None
    errors: tuple[FormulaError, ...] = ()

    @classmethod
    def of(cls, values: pa.Array, errors: dict[int, FormulaError], targets: npt.NDArray[np.int64]) -> Vector:
        """Return the values at these places; a place outside the column gives #REF!."""
        kind = values.type
        if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)):
            raise NotVector
        inside = (targets >= 0) & (targets < len(values))
        safe = np.where(inside, targets, 0)
        filled = (
            values
            if values.null_count == 0
            else pc.fill_null(values, pa.scalar(False if pa.types.is_boolean(kind) else 0, kind))
        )
        data = filled.to_numpy(zero_copy_only=False)
        data = (
            data
            if data.dtype == bool
            else data.astype(np.int64 if pa.types.is_integer(kind) else np.float64, copy=False)
        )
        missing = (
            np.zeros(len(values), dtype=bool)
            if values.null_count == 0
            else pc.is_null(values).to_numpy(zero_copy_only=False)
        )
        if not len(values):
            raise NotVector
        vector = cls(data[safe], missing[safe])
        if not errors and inside.all():
            return vector
        outside = error(REF)
        known = tuple(dict.fromkeys([*errors.values(), outside]))
        codes = np.zeros(len(values), dtype=np.int32)
        for place, failure in errors.items():
            codes[place] = known.index(failure) + 1
        codes = np.where(inside, codes[safe], known.index(outside) + 1).astype(np.int32)
        return replace(vector, codes=codes, errors=known)

    @classmethod
    def constant(cls, value: object, count: int) -> Vector:
        """Return the same value for so many rows."""
        none = np.zeros(count, dtype=bool)
        if isinstance(value, FormulaError):
            return cls(np.zeros(count), none, np.ones(count, dtype=np.int32), (value,))
        if value is None:
            return cls(np.zeros(count), ~none)
        if not isinstance(value, int | float):
            raise NotVector
        return cls(np.full(count, value), none)

    def error(self, place: int) -> FormulaError:
        """Return the error at a place that failed."""
        assert self.codes is not None
        return self.errors[int(self.codes[place]) - 1]

    def arrow(self) -> pa.Array:
        """Return the values as an Arrow array, null where they are missing or failed."""
        mask = self.missing if self.codes is None else self.missing | (self.codes != 0)
        return pa.array(self.data, mask=mask)


class Sheet(Protocol):
    """What a formula that is computed in bulk reads from its sheet."""

    def numbers(self, column: str, row: Row, positions: npt.NDArray[np.int64]) -> Vector: ...

    def stored_numbers(self, column: str, positions: npt.NDArray[np.int64]) -> Vector: ...

    def running(self, name: str, area: Area, positions: npt.NDArray[np.int64]) -> Vector: ...

    def area_number(self, name: str, area: Area) -> object: ...


def evaluated(tree: Tree, positions: npt.NDArray[np.int64], sheet: Sheet) -> Vector:  # noqa: C901 - a table of nodes
    """Return the values of a formula at these positions; raise NotVector if it cannot be computed in bulk."""
    count = len(positions)
    match tree:
        case Number(value) | Logical(value):
            return Vector.constant(value, count)
        case Cell(column, row):
            return sheet.numbers(column, row, positions)
        case Stored(column):
            return sheet.stored_numbers(column, positions)
        case Copied(value):
            return evaluated(value, positions, sheet)
        case Unary("+", of):
            return evaluated(of, positions, sheet)
        case Unary("-", of):
            inner = _numeric(evaluated(of, positions, sheet))
            return _finite(replace(inner, data=np.negative(inner.data)))
        case Unary(_, of):
            inner = _numeric(evaluated(of, positions, sheet))
            return replace(inner, data=inner.data.astype(np.float64) / 100)
        case Binary(op, left, right) if op in _OPERATORS:
            return _binary(op, evaluated(left, positions, sheet), evaluated(right, positions, sheet))
        case Call("IF", args) if len(args) == 3:
            return _choose(*(evaluated(arg, positions, sheet) for arg in args))
        case Call("ABS", (of,)):
            inner = _numeric(evaluated(of, positions, sheet))
            return _finite(replace(inner, data=np.abs(inner.data)))
        case Call(name, (Area() as area,)) if area.first is not None:
            return sheet.running(name, area, positions)
        case Call(name, (Area() as area,)):
            return Vector.constant(sheet.area_number(name, area), count)
    raise NotVector


_OPERATORS = {"+", "-", "*", "/", "=", "<>", "<", ">", "<=", ">="}
_COMPARE = {
    "=": np.equal,
    "<>": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


def _numeric(vector: Vector) -> Vector:
    return replace(vector, data=vector.data.astype(np.int64)) if vector.data.dtype == bool else vector


def _binary(op: str, left: Vector, right: Vector) -> Vector:
    both = _together(left, right)
    if op in _COMPARE:
        if (left.data.dtype == bool) != (right.data.dtype == bool):
            raise NotVector  # TRUE and 1 are of different kinds in a sheet, but equal in NumPy
        one, other = (each.data if each.data.dtype == bool else each.data.astype(np.float64) for each in (left, right))
        return replace(both, data=_COMPARE[op](one, other))
    left, right = _numeric(left), _numeric(right)
    with np.errstate(all="ignore"):
        if op == "/":
            zero = right.data == 0
            data = left.data.astype(np.float64) / np.where(zero, 1, right.data)
            return _finite(_failing(replace(both, data=data), zero, error(DIV)))
        if left.data.dtype == np.int64 and right.data.dtype == np.int64:
            return _integer_arithmetic(op, left.data, right.data, both)
        one, other = left.data.astype(np.float64), right.data.astype(np.float64)
        data = one + other if op == "+" else one - other if op == "-" else one * other
        return _finite(replace(both, data=data))


def _integer_arithmetic(op: str, left: Numbers, right: Numbers, both: Vector) -> Vector:
    """Return the exact result for whole numbers; one that does not fit into 64 bits is #NUM!, not another number."""
    data = left + right if op == "+" else left - right if op == "-" else left * right
    one, other = left.astype(np.float64), right.astype(np.float64)
    about = one + other if op == "+" else one - other if op == "-" else one * other
    # `data` wraps around silently. The estimate in floating point is rounded, so above 2**62 exact integers decide.
    if (np.abs(about) > 2.0**62).any():
        exact = [_exactly(op, int(a), int(b)) for a, b in zip(left.tolist(), right.tolist(), strict=True)]
        beyond = np.array([not -(2**63) <= each < 2**63 for each in exact])
        data = np.array([0 if out else each for each, out in zip(exact, beyond, strict=True)], dtype=np.int64)
        return _failing(replace(both, data=data), beyond, error(NUM))
    return replace(both, data=data)


def _exactly(op: str, one: int, other: int) -> int:
    return one + other if op == "+" else one - other if op == "-" else one * other


def _choose(claim: Vector, then: Vector, otherwise: Vector) -> Vector:
    if (then.data.dtype == bool) != (otherwise.data.dtype == bool):
        raise NotVector
    holds = (claim.data != 0) & ~claim.missing
    chosen = _together(then, otherwise, either=True)
    missing = np.where(holds, then.missing, otherwise.missing)
    codes = (
        None
        if chosen.codes is None
        else np.where(holds, _codes(then, chosen), _codes(otherwise, chosen)).astype(np.int32)
    )
    if (then.data.dtype == np.int64 and otherwise.data.dtype == np.float64) or (
        then.data.dtype == np.float64 and otherwise.data.dtype == np.int64
    ):
        then, otherwise = (replace(each, data=each.data.astype(np.float64)) for each in (then, otherwise))
    vector = Vector(np.where(holds, then.data, otherwise.data), missing, codes, chosen.errors)
    return vector if claim.codes is None else _with_first_errors(claim, vector)


def _with_first_errors(first: Vector, vector: Vector) -> Vector:
    """Return the vector with the errors of `first` before its own."""
    both = _together(first, vector)
    return replace(both, data=vector.data, missing=vector.missing)


def _together(left: Vector, right: Vector, *, either: bool = False) -> Vector:
    """Return where two operands are missing or failed: missing if one is, and failed as the first that failed.

    With `either` only one of them counts in each row, and the caller finds out what is missing.
    """
    missing = left.missing if either else left.missing | right.missing
    if left.codes is None and right.codes is None:
        return Vector(left.data, missing)
    errors = tuple(dict.fromkeys((*left.errors, *right.errors)))
    known = Vector(left.data, missing, None, errors)
    one, other = _codes(left, known), _codes(right, known)
    return replace(known, codes=np.where(one != 0, one, other).astype(np.int32))


def _codes(vector: Vector, known: Vector) -> Codes:
    """Return the codes of a vector, counted in the errors of another one."""
    if vector.codes is None:
        return np.zeros(len(vector.data), dtype=np.int32)
    numbers = np.array([0, *(known.errors.index(each) + 1 for each in vector.errors)], dtype=np.int32)
    return numbers[vector.codes]


def _finite(vector: Vector) -> Vector:
    if vector.data.dtype != np.float64:
        return vector
    return _failing(vector, ~np.isfinite(vector.data), error(NUM))


def _failing(vector: Vector, where: Flags, failure: FormulaError) -> Vector:
    where = where & ~vector.missing
    if not where.any():
        return vector
    errors = tuple(dict.fromkeys((*vector.errors, failure)))
    codes = np.zeros(len(where), dtype=np.int32) if vector.codes is None else vector.codes
    return replace(
        vector, codes=np.where(where & (codes == 0), errors.index(failure) + 1, codes).astype(np.int32), errors=errors
    )
