"""The functions that look at whole areas: what they make of the values in them."""

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
    """Those that are numbers; texts and logical values in an area do not count, as in every spreadsheet."""
    found = (value for value in values if isinstance(value, int | float | Decimal) and not isinstance(value, bool))
    return [float(value) if isinstance(value, Decimal) else value for value in found]


def total(values: Sequence[Value]) -> Value:
    """Their sum: exact for whole numbers, rounded once for others."""
    numbers = _numbers(values)
    if all(isinstance(each, int) for each in numbers):
        return finite(sum(numbers))
    try:
        return finite(math.fsum(numbers))
    except (OverflowError, ValueError):
        return error("#NUM!")


def average(values: Sequence[Value]) -> Value:
    """Their mean."""
    numbers = _numbers(values)
    if not numbers:
        return error(DIV, "There is no number to average.")
    whole = total(numbers)
    return whole if isinstance(whole, FormulaError) else float(whole) / len(numbers)  # type: ignore[arg-type]


def _ordered(values: Sequence[Value]) -> list[Value]:
    """Numbers if there are any, else dates."""
    numbers: list[Value] = list(_numbers(values))
    return numbers or [value for value in values if isinstance(value, date)]


def least(values: Sequence[Value]) -> Value:
    """The smallest; nothing if there is none."""
    return min(_ordered(values), default=None)  # type: ignore[type-var]


def greatest(values: Sequence[Value]) -> Value:
    """The largest; nothing if there is none."""
    return max(_ordered(values), default=None)  # type: ignore[type-var]


def product(values: Sequence[Value]) -> Value:
    """All multiplied."""
    return finite(math.prod(_numbers(values)))


def median(values: Sequence[Value]) -> Value:
    """The one in the middle, or the mean of the two there."""
    numbers = sorted(_numbers(values))
    if not numbers:
        return error(DIV, "There is no number to take the median of.")
    middle = len(numbers) // 2
    return float(numbers[middle] if len(numbers) % 2 else (numbers[middle - 1] + numbers[middle]) / 2)


def count_numbers(values: Sequence[Value]) -> Value:
    """How many numbers; a date is one, too."""
    return len(_numbers(values)) + sum(isinstance(value, date) for value in values)


def count_filled(values: Sequence[Value]) -> Value:
    """How many are not empty."""
    return sum(value is not None for value in values)


def count_blank(values: Sequence[Value]) -> Value:
    """How many are empty, or a text without characters."""
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
"""Each with the type it gives: that of all its arguments joined, or what it is of whole numbers or of others."""

CONDITIONAL = {"COUNTIF": "bigint", "SUMIF": "sum", "AVERAGEIF": "double"}


def criterion(given: Value) -> Callable[[Value], bool]:
    """What `">10"`, `"apple"` or `3` asks of a value.

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
    return compared(op, value, target) is True


def _wildcards(text: str) -> str:
    return "".join({"*": ".*", "?": "."}.get(letter, re.escape(letter)) for letter in text)


def conditional(name: str, tested: Sequence[Value], wanted: Value, values: Sequence[Value]) -> Value:
    """COUNTIF, SUMIF or AVERAGEIF; the values stand beside those that are tested."""
    if isinstance(wanted, FormulaError):
        return wanted
    if len(tested) != len(values):
        return error(VALUE, "The two areas must be equally large.")
    meets = criterion(wanted)
    chosen = [value for test, value in zip(tested, values, strict=True) if meets(test)]
    if name == "COUNTIF":
        return len(chosen)
    return total(chosen) if name == "SUMIF" else average(chosen)
