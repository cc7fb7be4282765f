"""Writes a value that has no type of its own in a dataset as JSON text."""

from __future__ import annotations

import json


def as_json_text(value: object) -> str:
    """Return a value as JSON text. Bytes are hexadecimal digits, dates and decimals are text.

    >>> as_json_text({"a": [1, None], "b": b"\\x01\\xff"})
    '{"a": [1, null], "b": "01ff"}'
    """
    return json.dumps(value, ensure_ascii=False, default=_as_text)


def _as_text(value: object) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)
