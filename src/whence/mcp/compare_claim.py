"""Compares a claimed value with a stored one: equal, equal once rounded as the claim is, or different."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Literal

from whence.server.values import to_json

Claimed = bool | int | float | str | None
Match = Literal["equal", "rounded", "different"]


def compare_claim(stored: object, claimed: Claimed) -> Match:
    """Return how a stored value fits a claim. A claim of 4.2 also fits 4.21, and not 4.26.

    >>> compare_claim(4.21, 4.2), compare_claim(4.26, "4.2"), compare_claim(1234, "1,234"), compare_claim(None, None)
    ('rounded', 'different', 'equal', 'equal')
    """
    if stored is None or claimed is None:
        return "equal" if stored is claimed else "different"
    if isinstance(stored, bool) or not isinstance(stored, int | float | Decimal):
        return "equal" if _plain(stored) == _plain(claimed) else "different"
    number = _number(claimed)
    return "different" if number is None else _compare_numbers(Decimal(str(stored)), number)


def _compare_numbers(stored: Decimal, claimed: Decimal) -> Match:
    if stored == claimed:
        return "equal"
    exponent = claimed.as_tuple().exponent
    if not stored.is_finite() or not isinstance(exponent, int):
        return "different"
    return "rounded" if abs(stored - claimed) * 2 <= Decimal(1).scaleb(min(exponent, 0)) else "different"


def _number(claimed: Claimed) -> Decimal | None:
    """Return a claim as a number; texts may have commas between thousands."""
    if isinstance(claimed, bool):
        return None
    try:
        return Decimal(str(claimed).replace(",", "").strip())
    except InvalidOperation:
        return None


def _plain(value: object) -> str:
    return str(to_json(value)).lower() if isinstance(value, bool) else str(to_json(value))
