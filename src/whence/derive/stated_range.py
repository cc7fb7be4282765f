"""The range that a caveat about a dataset states, stored with the version for sessions that come later."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from whence.engine.sql_functions import End

DOCUMENT = "stated_range"

_READ: Mapping[str, Callable[[str], End]] = {
    "int": int,
    "float": float,
    "str": str,
    "Decimal": Decimal,
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
}


def write_range(ends: tuple[End, End]) -> list[list[str] | None] | None:
    """Return the ends for a document; None if one is no plain value, such as a column."""
    written = [None if end is None else [type(end).__name__, _text(end)] for end in ends]
    return written if all(each is None or each[0] in _READ for each in written) else None


def read_range(written: Any) -> tuple[End, End]:  # noqa: ANN401 - a part of a JSON document
    """Return the ends that a document holds."""
    low, high = (None if each is None else _READ[each[0]](each[1]) for each in written)
    return low, high


def _text(end: End) -> str:
    return end.isoformat() if isinstance(end, date) else str(end)
