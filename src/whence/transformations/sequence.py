"""Learns the step by which a column of numbers or dates counts, and lists the keys of such a sequence."""

from __future__ import annotations

import re
from calendar import monthrange
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise

from whence.model.errors import UserError

Key = int | date


@dataclass(frozen=True)
class Stride:
    """The distance from one key to the next: `count` ones for numbers, days or months for dates."""

    count: int
    unit: str = ""

    def __str__(self) -> str:
        return f"{self.count} {self.unit}{'s' if self.count != 1 else ''}" if self.unit else str(self.count)

    def keys(self, low: Key, high: Key) -> Iterator[Key]:
        """Yield every key from low to high."""
        number, key = 0, low
        while key <= high:  # type: ignore[operator] # both are numbers, or both dates
            yield key
            number += 1
            # From `low`, not from the key before: after 31 January and 28 February comes 31 March.
            key = self._after(low, number)

    def _after(self, low: Key, number: int) -> Key:
        if isinstance(low, date):
            return (
                _months_after(low, number * self.count)
                if self.unit == "month"
                else low + timedelta(self.count * number)
            )
        return low + self.count * number


def learn_stride(keys: Sequence[Key]) -> Stride:
    """Return the most frequent distance between sorted keys, the smallest of equally frequent ones.

    >>> learn_stride([10, 20, 40, 50])
    Stride(count=10, unit='')
    >>> learn_stride([date(2020, 1, 1), date(2020, 2, 1), date(2020, 4, 1)])
    Stride(count=1, unit='month')
    """
    pairs = list(pairwise(keys))
    if not pairs:
        return Stride(1, "day" if keys and isinstance(keys[0], date) else "")
    first = keys[0]
    if isinstance(first, date):
        months = [_months_between(a, b) for a, b in pairs if isinstance(a, date) and isinstance(b, date)]
        if all(isinstance(key, date) and key.day == first.day for key in keys):
            return Stride(_most_frequent(months), "month")
        return Stride(_most_frequent([(b - a).days for a, b in pairs]), "day")  # type: ignore[operator,union-attr]
    return Stride(_most_frequent([b - a for a, b in pairs]))  # type: ignore[operator,misc]


def read_stride(value: object, *, is_date: bool) -> Stride:
    """Parse a step as users write it: 5, or for dates `7 days` or `month`."""
    found = re.fullmatch(r"\s*(\d*)\s*(day|week|month|year)?s?\s*", str(value))
    count = int(found.group(1) or 1) if found else 0
    unit = (found.group(2) or "") if found else ""
    if count <= 0 or (unit and not is_date):
        wanted = "such as 1 day or 1 month" if is_date else "a whole number above 0"
        raise UserError(f"{value} is no step for repair_sequence.", f"Give {wanted}.")
    if not is_date:
        return Stride(count)
    factor, base = {"week": (7, "day"), "year": (12, "month"), "": (1, "day")}.get(unit, (1, unit))
    return Stride(count * factor, base)


def _most_frequent(distances: Sequence[int]) -> int:
    return min(Counter(distances).items(), key=lambda item: (-item[1], item[0]))[0]


def _months_between(a: date, b: date) -> int:
    return (b.year - a.year) * 12 + b.month - a.month


def _months_after(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))
