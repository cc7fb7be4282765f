"""Translates the built-in checks of pandera into conditions in SQL that pass for the same values."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from datetime import date, datetime
from typing import Any

from whence.checks.from_pandera.pattern import java_pattern
from whence.model.schema import Field
from whence.plan.sql_text import quoted, text, typed

_WHOLE = {"tinyint": 7, "smallint": 15, "int": 31, "bigint": 63}
"""The whole numbers, with their bits."""
_AT_START = r"\A(?:{})"
_EXACT = 2**53
"""Every whole number below it is a number of type double."""

COMPARISONS = {
    "equal_to": "=",
    "not_equal_to": "<>",
    "greater_than": ">",
    "greater_than_or_equal_to": ">=",
    "less_than": "<",
    "less_than_or_equal_to": "<=",
}


def condition(name: str, given: dict[str, Any], field: Field, flavour: str) -> str | None:
    """Return the condition of a built-in check with these statistics; None if it has no equal in SQL.

    NULL passes. NaN passes for pandas, which takes it for a missing value, and is the largest number in Spark.
    """
    column = quoted(field.name)
    if name in COMPARISONS:
        bound = literal(next(iter(given.values()), None), field, flavour)
        passes = None if bound is None else f"{column} {COMPARISONS[name]} {bound}"
    elif name in _RULES:
        passes = _RULES[name](given, field, flavour)
    else:
        return None
    if passes is None or flavour == "pyspark" or field.type != "double" or name in ("not_equal_to", "notin"):
        return passes
    return f"({passes}) or isnan({column})"


def literal(value: object, field: Field, flavour: str) -> str | None:
    """Return a value in SQL that compares with the column as it does in pandas or PySpark; None if it may not."""
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return _number(value, field, flavour)
    if isinstance(value, str):
        return text(value) if field.type == "string" else None
    if isinstance(value, datetime):
        is_exact = value.tzinfo is None and not getattr(value, "nanosecond", 0)
        return typed(value, field.type) if is_exact and field.type == "timestamp_ntz" else None
    return typed(value, "date") if isinstance(value, date) and field.type == "date" else None


def is_small(value: object, field: Field) -> bool:
    """Return whether a value is a whole number of the column's own type, or the column holds no numbers."""
    bits = _WHOLE.get(field.type)
    return bits is None or (isinstance(value, int) and -(2**bits) <= value < 2**bits)


def _number(value: float, field: Field, flavour: str) -> str | None:
    is_whole_column = field.type in _WHOLE
    if not is_whole_column and field.type != "double":
        # pandas compares narrow floats and decimals in their own ways.
        is_known = flavour == "pyspark" and (field.type == "float" or field.type.startswith("decimal"))
        return typed(float(value), "double") if is_known and abs(value) <= _EXACT else None
    if isinstance(value, int) and is_whole_column:
        return typed(value, "bigint") if -(2**63) <= value < 2**63 else None
    if math.isnan(value) or (isinstance(value, int) and abs(value) > _EXACT):
        return None
    return typed(float(value), "double")


def _in_range(given: dict[str, Any], field: Field, flavour: str) -> str | None:
    low, high = (literal(given[each], field, flavour) for each in ("min_value", "max_value"))
    if low is None or high is None:
        return None
    above = ">=" if given.get("include_min", True) else ">"
    below = "<=" if given.get("include_max", True) else "<"
    return f"{quoted(field.name)} {above} {low} and {quoted(field.name)} {below} {high}"


def _isin(given: dict[str, Any], field: Field, flavour: str) -> str | None:
    listed = _listed(given["allowed_values"], field, flavour)
    return None if listed is None else f"{_comparable(field)} in ({listed})"


def _notin(given: dict[str, Any], field: Field, flavour: str) -> str | None:
    listed = _listed(given["forbidden_values"], field, flavour)
    return None if listed is None else f"{_comparable(field)} not in ({listed})"


def _listed(values: Iterable[object], field: Field, flavour: str) -> str | None:
    known = list(values)
    if field.type in _WHOLE and not all(isinstance(each, int) for each in known):
        return None
    # Minus zero plus zero is zero.
    found = [literal(each + 0.0 if isinstance(each, float) else each, field, flavour) for each in known]
    texts = [each for each in found if each is not None]
    return ", ".join(texts) if texts and len(texts) == len(found) else None


def _comparable(field: Field) -> str:
    """Return a column for a list of values. Spark looks many values up in a set, where -0.0 is not 0.0."""
    return f"({quoted(field.name)} + 0.0D)" if field.type == "double" else quoted(field.name)


def _pattern(given: dict[str, Any], field: Field, flavour: str, *, at_start: bool) -> str | None:
    pattern = given["pattern"]
    if field.type != "string" or not isinstance(pattern, str):
        return None
    java = pattern if flavour == "pyspark" else java_pattern(pattern)
    if java is None:
        return None
    is_anchored = at_start and flavour == "pandas"
    return f"{quoted(field.name)} rlike {text(_AT_START.format(java)) if is_anchored else text(java)}"


def _affix(function: str, given: dict[str, Any], field: Field) -> str | None:
    affix = given["string"]
    is_text = field.type == "string" and isinstance(affix, str)
    return f"{function}({quoted(field.name)}, {text(affix)})" if is_text else None


def _length(given: dict[str, Any], field: Field) -> str | None:
    bounds = {"=": given.get("exact_value"), ">=": given.get("min_value"), "<=": given.get("max_value")}
    found = {sign: value for sign, value in bounds.items() if value is not None}
    if field.type != "string" or not found or not all(isinstance(each, int) for each in found.values()):
        return None
    return " and ".join(f"char_length({quoted(field.name)}) {sign} {value}" for sign, value in found.items())


_RULES: dict[str, Callable[[dict[str, Any], Field, str], str | None]] = {
    "in_range": _in_range,
    "isin": _isin,
    "notin": _notin,
    "str_matches": lambda given, field, flavour: _pattern(given, field, flavour, at_start=True),
    "str_contains": lambda given, field, flavour: _pattern(given, field, flavour, at_start=False),
    "str_startswith": lambda given, field, _: _affix("startswith", given, field),
    "str_endswith": lambda given, field, _: _affix("endswith", given, field),
    "str_length": lambda given, field, _: _length(given, field),
}
