"""The type ladder: the lowest type that holds different values of a column (int, decimal, double, then text)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Literal

import pyarrow as pa

from whence.store.types import spark_type

Kind = Literal["whole", "decimal", "double", "text", "boolean", "date", "timestamp", "other"]

_WIDTHS = {"tinyint": 8, "smallint": 16, "int": 32, "bigint": 64}
_KINDS: dict[str, Kind] = {
    **dict.fromkeys(_WIDTHS, "whole"), "double": "double", "float": "double", "string": "text", "boolean": "boolean",
    "date": "date", "timestamp": "timestamp", "timestamp_ntz": "timestamp",
}  # fmt: skip
_ARROW = {
    "tinyint": pa.int8(), "smallint": pa.int16(), "int": pa.int32(), "bigint": pa.int64(), "float": pa.float32(),
    "double": pa.float64(), "string": pa.string(), "boolean": pa.bool_(), "date": pa.date32(),
    "timestamp": pa.timestamp("us", "UTC"), "timestamp_ntz": pa.timestamp("us"), "binary": pa.binary(),
}  # fmt: skip
_DECIMAL = re.compile(r"decimal\((\d+),(\d+)\)")
_MOST_DIGITS = 38
"""Digits that a decimal of Spark or Arrow (128 bits) has at most."""


def kind_of(type_name: str) -> Kind:
    """Return which kind of values a column of this type holds."""
    return "decimal" if type_name.startswith("decimal") else _KINDS.get(type_name, "other")


def arrow_type(type_name: str) -> pa.DataType | None:
    """Return the Arrow type for the name of a Spark type; None for types whose values formulas cannot make."""
    digits = _DECIMAL.fullmatch(type_name)
    return pa.decimal128(int(digits[1]), int(digits[2])) if digits else _ARROW.get(type_name)


def type_of_value(value: object) -> str | None:
    """Return the narrowest type of the ladder for one value; None if there is no value."""
    if value is None:
        return None
    if isinstance(value, bool):  # before int: every bool is an int, too
        return "boolean"
    if isinstance(value, int):
        return (
            "int" if -(2**31) <= value < 2**31 else "bigint" if -(2**63) <= value < 2**63 else _digits(Decimal(value))
        )
    if isinstance(value, Decimal):
        return _digits(value)
    return spark_type(pa.scalar(value).type)


def joined(types: Iterable[str | None]) -> str | None:
    """Return the lowest type of the ladder that holds values of all these types; None if there are none.

    >>> joined(["int", "decimal(5,2)"]), joined(["bigint", "double"]), joined(["double", "string"])
    ('decimal(12,2)', 'double', 'string')
    """
    found: str | None = None
    for each in dict.fromkeys(types):
        if each is not None:
            found = each if found is None else _common_type(found, each)
    return found


def _common_type(one: str, other: str) -> str:
    if one == other:
        return one
    kinds = {kind_of(one), kind_of(other)}
    if kinds == {"whole"}:
        return max(one, other, key=lambda each: _WIDTHS[each])
    if kinds <= {"whole", "decimal"}:
        return _wider_decimal(one, other)
    if kinds <= {"whole", "decimal", "double"}:
        return "double"
    if kinds <= {"date", "timestamp"}:
        return one if kind_of(one) == "timestamp" else other
    return "string"


def _wider_decimal(one: str, other: str) -> str:
    sizes = [_whole_and_scale(each) for each in (one, other)]
    whole, scale = max(size[0] for size in sizes), max(size[1] for size in sizes)
    return f"decimal({whole + scale},{scale})" if whole + scale <= _MOST_DIGITS else "double"


def _whole_and_scale(type_name: str) -> tuple[int, int]:
    digits = _DECIMAL.fullmatch(type_name)
    if digits:
        return int(digits[1]) - int(digits[2]), int(digits[2])
    return {8: 3, 16: 5, 32: 10, 64: 19}[_WIDTHS[type_name]], 0  # decimal digits of integers of so many bits


def _digits(value: Decimal) -> str:
    sign_less = value.as_tuple()
    exponent = sign_less.exponent if isinstance(sign_less.exponent, int) else 0
    scale = max(0, -exponent)
    whole = max(len(sign_less.digits) + exponent, 1)
    return f"decimal({whole + scale},{scale})" if whole + scale <= _MOST_DIGITS else "double"
