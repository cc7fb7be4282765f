"""Converts single values to the type of their column, to text and to numbers, alike for pages and applied sheets."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, time
from decimal import Decimal

from whence.notebook.sheet.ladder import kind_of


def converted(value: object, type_name: str) -> object:
    """Return the value as a column of this type holds it; the type was chosen so that it can."""
    if value is None:
        return None
    match kind_of(type_name):
        case "text":
            return as_text(value)
        case "double":
            return float(value)  # type: ignore[arg-type]
        case "decimal":
            return value if isinstance(value, Decimal) else Decimal(str(value))  # the digits, not the binary fraction
        case "whole":
            return int(value) if isinstance(value, float) else value
        case "timestamp":
            return _moment(value, is_utc=type_name == "timestamp")
    return value


def _moment(value: object, *, is_utc: bool) -> object:
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime.combine(value, time())
    if isinstance(value, datetime) and is_utc and value.tzinfo is None:
        return value.replace(tzinfo=UTC)
    return value


def as_text(value: object) -> str:
    """Return a value as people read it.

    >>> as_text(2.0), as_text(True), as_text(0.1)
    ('2', 'true', '0.1')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    return str(value)


def as_number(value: object) -> float | None:
    """Return a value as a number for arithmetic; None if it is not one."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int | float):
        return value
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, str):
        return _read(value.strip())
    return None


def _read(text: str) -> float | None:
    try:
        number = float(text) if "_" not in text else math.nan  # Python reads 1_000 as a number, spreadsheets do not
    except ValueError:
        return None
    if not math.isfinite(number):
        return None
    return int(text) if text.lstrip("+-").isdigit() else number
