"""The types that Spark gives to sums and products of decimals."""

from __future__ import annotations

MOST_DIGITS = 38
_KEPT_DIGITS = 6
"""So many digits behind the point stay where a result has too many digits for a decimal."""


def decimal_digits(type_name: str) -> tuple[int, int] | None:
    """Return how many digits a decimal type has, and how many of them stand behind the point; None for other types."""
    if not type_name.startswith("decimal("):
        return None
    precision, scale = type_name[len("decimal(") : -1].split(",")
    return int(precision), int(scale)


def decimal_result(function: str, one: str, other: str) -> str:
    """Return the type of a sum, difference or product of two decimals; an empty text for other operands.

    `decimal_result("multiply", "decimal(15,2)", "decimal(16,2)")` is `decimal(32,4)`.
    """
    left, right = decimal_digits(one), decimal_digits(other)
    if left is None or right is None:
        return ""
    if function == "multiply":
        return _adjusted(left[0] + right[0] + 1, left[1] + right[1])
    scale = max(left[1], right[1])
    return _adjusted(max(left[0] - left[1], right[0] - right[1]) + scale + 1, scale)


def _adjusted(precision: int, scale: int) -> str:
    if precision > MOST_DIGITS:
        scale = max(MOST_DIGITS - (precision - scale), min(scale, _KEPT_DIGITS))
        precision = MOST_DIGITS
    return f"decimal({precision},{scale})"
