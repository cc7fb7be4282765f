"""Parts of dates and times, such as the hour: how to compute them, and how SQL and people write them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from whence.explain.arrays import Floats, Ints

PartName = Literal["year", "quarter", "month", "day", "weekday", "hour", "minute", "second"]
Timed = Literal["date", "timestamp"]

_OF_DAYS: tuple[PartName, ...] = ("year", "quarter", "month", "day", "weekday")

KNOWN: dict[Timed, tuple[PartName, ...]] = {"date": _OF_DAYS, "timestamp": get_args(PartName)}
"""The parts that a user may ask for."""

OFFERED: dict[Timed, tuple[PartName, ...]] = {
    "date": ("weekday", "day", "month"),
    "timestamp": ("hour", "weekday", "day", "month"),
}
"""The parts that are tried without being asked for. Year and quarter are not: a range of the column says the same."""

NAMED: tuple[PartName, ...] = ("weekday", "month", "quarter")
"""Parts that are names rather than quantities, so a clause lists any of their values instead of a range."""

_STARTS_OVER: dict[PartName, tuple[int, int]] = {
    "quarter": (1, 4), "month": (1, 12), "day": (1, 31), "weekday": (0, 6),
    "hour": (0, 23), "minute": (0, 59), "second": (0, 59),
}  # fmt: skip
"""The first and the last value of each cyclic part."""

_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_THURSDAY = 3
"""The weekday of 1 January 1970, counting from Monday = 0 as Spark's `weekday` does."""


@dataclass(frozen=True)
class TimePart:
    """A part of a date or a timestamp.

    >>> TimePart("weekday", "date").numbers(np.array([0.0, 4.0, np.nan])).tolist()
    [3.0, 0.0, nan]
    """

    name: PartName
    of: Timed

    @property
    def is_cyclic(self) -> bool:
        """Whether the first value follows the last, so that a range may go from 22 to 4."""
        return self.name in _STARTS_OVER

    def ends(self, values: Sequence[object]) -> tuple[int, int] | None:
        """Return the first and last of consecutive values, also across the end of the cycle, or None at a gap.

        >>> TimePart("month", "date").ends([1, 2, 11, 12]), TimePart("month", "date").ends([1, 3])
        ((11, 2), None)
        """
        low, high = _STARTS_OVER.get(self.name, (0, -1))
        known = {int(str(value)) for value in values if value is not None}
        firsts = [each for each in known if (each - 1 if each > low else high) not in known]
        if not self.is_cyclic or len(known) < len(values) or len(firsts) != 1:
            return None
        return firsts[0], (firsts[0] - low + len(known) - 1) % (high - low + 1) + low

    def sql(self, column: str) -> str:
        """Return the SQL expression that computes the part of a column."""
        return f"{self.name}({column})"

    def phrase(self, column: str) -> str:
        """Return the part of a column in words."""
        return f"the {self.name} of {column}"

    def word(self, value: object) -> str:
        """Return a value of the part as people say it: weekdays and months by name."""
        if self.name == "weekday":
            return _WEEKDAYS[int(str(value))]
        return _MONTHS[int(str(value)) - 1] if self.name == "month" else str(value)

    def numbers(self, values: Floats) -> Floats:
        """Return the part of each value, given as days or microseconds since 1970. NaN stays NaN."""
        known = ~np.isnan(values)
        found = np.full(len(values), np.nan)
        unit = "D" if self.of == "date" else "us"
        # NaN cannot be cast to an integer, so NULLs stay out.
        found[known] = _number(self.name, values[known].astype(np.int64).astype(f"datetime64[{unit}]"))
        return found


def _number(name: PartName, stamps: np.ndarray[tuple[int], np.dtype[np.datetime64]]) -> Ints:
    days = stamps.astype("datetime64[D]")
    months = stamps.astype("datetime64[M]").astype(np.int64)
    match name:
        case "year":
            return months // 12 + 1970
        case "quarter":
            return months % 12 // 3 + 1
        case "month":
            return months % 12 + 1
        case "day":
            first: Ints = stamps.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)
            return days.astype(np.int64) - first + 1
        case "weekday":
            return (days.astype(np.int64) + _THURSDAY) % 7
    seconds = stamps.astype("datetime64[s]").astype(np.int64)
    return {"hour": seconds // 3600 % 24, "minute": seconds // 60 % 60, "second": seconds % 60}[name]


def named_part(text: str) -> tuple[PartName, str] | None:
    """Return the part and the column that a text such as `hour(at)` names, or None.

    >>> named_part("hour(at)"), named_part("at")
    (('hour', 'at'), None)
    """
    found = re.fullmatch(r"\s*(\w+)\s*\(\s*(.+?)\s*\)\s*", text)
    for name in get_args(PartName):
        if found is not None and found[1].lower() == name:
            return name, found[2].strip("`")
    return None
