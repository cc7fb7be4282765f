"""Column values as Python objects, and as JSON without loss."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal

import pyarrow as pa
import pyarrow.compute as pc

_READERS: dict[str, Callable[[str], object]] = {
    "float": float,
    "decimal": Decimal,
    "time": datetime.fromisoformat,
    "date": date.fromisoformat,
    "bytes": bytes.fromhex,
}


def plain(value: pa.Scalar) -> object:
    """Return the value as a Python object, or as text if Python cannot hold it, such as a day before the year 1."""
    try:
        found: object = value.as_py()
    except (OverflowError, ValueError):
        return str(pc.cast(value, pa.string()).as_py())
    if isinstance(found, datetime) and found.tzinfo is not None:
        return found.astimezone(UTC)
    return found


def to_json(value: object) -> object:
    """Return the value in a JSON form that `from_json` can restore."""
    match value:
        case float():
            return {"float": repr(value)}
        case Decimal():
            return {"decimal": str(value)}
        # Before `date`: in Python a datetime is also a date.
        case datetime():
            return {"time": value.isoformat()}
        case date():
            return {"date": value.isoformat()}
        case bytes():
            return {"bytes": value.hex()}
    return value


def from_json(value: object) -> object:
    """Return the value that `to_json` was given."""
    if isinstance(value, dict):
        ((kind, text),) = value.items()
        return _READERS[kind](text)
    return value
