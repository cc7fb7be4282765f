"""How a report writes a value, and the hash by which the value can be checked later."""

from __future__ import annotations

import hashlib

HIDDEN = "hidden"
"""What stands in a report in place of a value that must not be seen."""


def value_text(value: object) -> str:
    """Return a value as a reader sees it, in full.

    >>> value_text(None), value_text(0.1 + 0.2), value_text(True)
    ('', '0.30000000000000004', 'true')
    """
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def short_text(value: object) -> str:
    """Return a value as a table shows it: without the noise of binary fractions.

    >>> short_text(0.1 + 0.2), short_text(2.0), short_text(1_250_000)
    ('0.3', '2', '1,250,000')
    """
    if isinstance(value, float):
        return f"{value:,.15g}"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 100_000:
        return f"{value:,}"
    return value_text(value)


def value_hash(row_key: str, column: str, value: object) -> str:
    """Return a hash of a value and of its place."""
    kind = "missing" if value is None else "value"
    return hashlib.sha256("\0".join((row_key, column, kind, value_text(value))).encode()).hexdigest()[:32]
