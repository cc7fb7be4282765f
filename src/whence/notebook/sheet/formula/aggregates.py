"""Functions over areas, such as SUM and COUNTIF, computed from lists of values."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from decimal import Decimal

from whence.notebook.sheet.convert import as_number, as_text
from whence.notebook.sheet.formula.errors import DIV, VALUE, FormulaError, error
from whence.notebook.sheet.formula.functions import Value, compared, finite

_CRITERION = re.compile(r"(<=|>=|<>|=|<|>)?(.*)", re.DOTALL)


def _numbers(values: Iterable[Value]) -> list[float]:
    """Return the numbers among the values; texts and logical values do not count, as in every spreadsheet."""
    found = (value for value in values if isinstance(value, int | float | Decimal) and not isinstance(value, bool))
    return [float(value) if isinstance(value, Decimal) else value for value in found]


def total(values: Sequence[Value]) -> Value:
    """Return the sum of the numbers: exact for whole numbers, rounded once for others."""
    numbers = _numbers(values)
    if all(isinstance(each, int) for each in numbers):
        return finite(sum(numbers))
    try:
        return finite(math.fsum(numbers))
    except (OverflowError, ValueError):
        return error("#NUM!")


def average(values: Sequence[Value]) -> Value:
    """Return the mean of the numbers; #DIV/0! if there is none."""
    numbers = _numbers(values)
    if not numbers:
        return error(DIV, "There is no number to average.")
    whole = total(numbers)
    return whole if isinstance(whole, FormulaError) else float(whole) / len(numbers)  # type: ignore[arg-type]


def ordered_values(values: Sequence[Value]) -> list[Value]:
    """Return the numbers, or the dates if there is no number."""
    numbers: list[Value] = list(_numbers(values))
    return numbers or [value for value in values if isinstance(value, date)]


def least(values: Sequence[Value]) -> Value:
    """Return the smallest number or date; None if there is none."""
    return min(ordered_values(values), default=None)  # type: ignore[type-var]


def greatest(values: Sequence[Value]) -> Value:
    """Return the largest number or date; None if there is none."""
    return max(ordered_values(values), default=None)  # type: ignore[type-var]


def product(values: Sequence[Value]) -> Value:
    """Return the product of the numbers."""
    return finite(math.prod(_numbers(values)))


def median(values: Sequence[Value]) -> Value:
    """Return the median of the numbers; #DIV/0! if there is none."""
    numbers = sorted(_numbers(values))
    if not numbers:
        return error(DIV, "There is no number to take the median of.")
    middle = len(numbers) // 2
    return float(numbers[middle] if len(numbers) % 2 else (numbers[middle - 1] + numbers[middle]) / 2)


def count_numbers(values: Sequence[Value]) -> Value:
    """Return how many values are numbers; dates count as numbers."""
    return len(_numbers(values)) + sum(isinstance(value, date) for value in values)


def count_filled(values: Sequence[Value]) -> Value:
    """Return how many values are not empty."""
    return sum(value is not None for value in values)


def count_blank(values: Sequence[Value]) -> Value:
    """Return how many values are empty, or a text without characters."""
    return sum(value is None or value == "" for value in values)


AGGREGATES: dict[str, tuple[Callable[[Sequence[Value]], Value], str]] = {
    "SUM": (total, "sum"),
    "AVERAGE": (average, "double"),
    "MIN": (least, "joined"),
    "MAX": (greatest, "joined"),
    "PRODUCT": (product, "sum"),
    "MEDIAN": (median, "double"),
    "COUNT": (count_numbers, "bigint"),
    "COUNTA": (count_filled, "bigint"),
    "COUNTBLANK": (count_blank, "bigint"),
}
"""Each function with its result type. "sum" is bigint for whole numbers, else double; "joined" also keeps dates."""

CONDITIONAL = {"COUNTIF": "bigint", "SUMIF": "sum", "AVERAGEIF": "double"}
"""Functions that test one area and aggregate another, with their result types."""


def criterion(given: Value) -> Callable[[Value], bool]:
    """Return the test that a criterion such as `">10"`, `"apple"` or `3` stands for.

    >>> criterion(">10")(12), criterion("apple")("Apple"), criterion("a*")("abc")
    (True, True, True)
    """
    if not isinstance(given, str):
        return lambda value: value is not None and given is not None and compared("=", value, given) is True
    found = _CRITERION.fullmatch(given)
    assert found is not None
    op, wanted = found[1] or "=", found[2]
    if wanted == "":
        return (lambda value: value is None or value == "") if op == "=" else (lambda value: value not in (None, ""))
    number = as_number(wanted)
    if number is None and op in ("=", "<>") and re.search(r"[*?]", wanted):
        pattern = re.compile(_wildcards(wanted), re.IGNORECASE | re.DOTALL)
        return lambda value: (isinstance(value, str) and pattern.fullmatch(value) is not None) == (op == "=")
    target: Value = wanted if number is None else number
    return lambda value: _meets(op, value, target)


def _meets(op: str, value: Value, target: Value) -> bool:
    if value is None:
        return op == "<>"
    if isinstance(value, date) and isinstance(target, str):
        return compared(op, as_text(value), target) is True
    return compared(op, value, target) is True  # not an error, which it is for values that have no order


def _wildcards(text: str) -> str:
    return "".join({"*": ".*", "?": "."}.get(letter, re.escape(letter)) for letter in text)


def conditional(name: str, tested: Sequence[Value], wanted: Value, values: Sequence[Value]) -> Value:
    """Return COUNTIF, SUMIF or AVERAGEIF: `values[i]` counts if `tested[i]` meets the criterion `wanted`."""
    if isinstance(wanted, FormulaError):
        return wanted
    if len(tested) != len(values):
        return error(VALUE, "The two areas must be equally large.")
    meets = criterion(wanted)
    chosen = [value for test, value in zip(tested, values, strict=True) if meets(test)]
    if name == "COUNTIF":
        return len(chosen)
    return total(chosen) if name == "SUMIF" else average(chosen)
