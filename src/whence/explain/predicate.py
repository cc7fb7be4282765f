"""A predicate as users read it: a conjunction of ranges and value sets, at most one for each attribute."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any, Literal

import numpy as np

from whence.explain.arrays import Bools
from whence.explain.time_part import TimePart

Scale = Literal["number", "date", "timestamp"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_RUN = 3
"""From so many consecutive weekdays or months on, a phrase says "from ... to ..." instead of listing them."""


@dataclass(frozen=True)
class Range:
    """A condition: the attribute lies between two values, both included. None leaves a side open.

    A range of a cyclic part may pass its end: then the low value is the greater one.

    >>> Range("at", 9, 11, part=TimePart("hour", "timestamp")).sql
    'hour(at) BETWEEN 9 AND 11'
    >>> Range("at", 22, 4, part=TimePart("hour", "timestamp")).sql
    '(hour(at) >= 22 OR hour(at) <= 4)'
    """

    column: str
    low: float | None
    high: float | None
    scale: Scale = "number"
    """The ends of a date are days, those of a timestamp microseconds since 1970."""
    is_whole: bool = False
    """The column has whole numbers only, so the ends are written without decimals."""
    part: TimePart | None = None
    """If set, the ends are values of this part of the column, such as hours."""

    @property
    def wraps(self) -> bool:
        """Whether the range passes the end of a cyclic part, as from 22 to 4 o'clock."""
        is_around = self.low is not None and self.high is not None and self.low > self.high
        return is_around and self.part is not None and self.part.is_cyclic

    @property
    def sql(self) -> str:
        """The condition in SQL, in brackets if it contains an OR."""
        name = _read(self.column, self.part)
        if self.low is None and self.high is None:
            return f"{name} IS NOT NULL"
        if self.low is not None and self.low == self.high:
            return f"{name} = {self.literal(self.low)}"
        if self.low is None or self.high is None:
            return f"{name} <= {self._end(self.high)}" if self.low is None else f"{name} >= {self._end(self.low)}"
        if self.wraps:
            return f"({name} >= {self.literal(self.low)} OR {name} <= {self.literal(self.high)})"
        return f"{name} BETWEEN {self.literal(self.low)} AND {self.literal(self.high)}"

    @property
    def phrase(self) -> str:
        """The condition in words."""
        name = _column_phrase(self.column, self.part)
        low, high = (None if end is None else self.plain(end) for end in (self.low, self.high))
        if low is None and high is None:
            return f"{name} is known"
        if low == high:
            return f"{name} is {low}"
        if low is None:
            return f"{name} is at most {high}"
        return f"{name} is at least {low}" if high is None else f"{name} is from {low} to {high}"

    def matches(self, values: np.ndarray[Any, Any]) -> Bools:
        """Return which of these values lie inside the range. Dates and times are numbers, NULL is NaN."""
        values = values if self.part is None else self.part.numbers(values)
        known: Bools = ~np.isnan(values)
        above = known if self.low is None else values >= self.low
        below = known if self.high is None else values <= self.high
        return known & (above | below if self.wraps else above & below)

    def literal(self, value: float) -> str:
        """Return a value as a SQL literal."""
        if self.scale == "number":
            return self.plain(value)
        return f"{self.scale.upper()} '{self.plain(value)}'"

    def plain(self, value: float) -> str:
        """Return a value as people write it."""
        if self.scale == "date":
            return (_EPOCH + timedelta(days=value)).date().isoformat()
        if self.scale == "timestamp":
            return (_EPOCH + timedelta(microseconds=value)).replace(tzinfo=None).isoformat(sep=" ")
        # Up to 2**53, about 9e15, a double has every whole number. Larger ones would show digits that mean nothing.
        is_whole = self.is_whole or (float(value).is_integer() and abs(value) < 1e15)
        return str(int(value)) if is_whole else repr(float(value))

    def _end(self, value: float | None) -> str:
        assert value is not None, "one side of the range is given"
        return self.literal(value)

    def to_json(self) -> dict[str, object]:
        """Return the condition as JSON data."""
        low, high = (None if end is None else self.plain(end) for end in (self.low, self.high))
        ends = (self.low, self.high) if self.scale == "number" else (low, high)
        return {**_where(self.column, self.part), "low": ends[0], "high": ends[1]}


@dataclass(frozen=True)
class Values:
    """A condition: the attribute is one of these values. None among them means NULL.

    >>> Values("at", (5, 6), TimePart("weekday", "timestamp")).phrase
    'the weekday of at is Saturday or Sunday'
    """

    column: str
    values: tuple[object, ...]
    part: TimePart | None = None
    """If set, the values are those of this part of the column, such as weekdays."""

    @property
    def sql(self) -> str:
        """The condition in SQL, in brackets if it contains an OR."""
        name = _read(self.column, self.part)
        known = [sql_literal(value) for value in self.values if value is not None]
        if not known:
            return f"{name} IS NULL"
        listed = f"{name} = {known[0]}" if len(known) == 1 else f"{name} IN ({', '.join(known)})"
        return f"({listed} OR {name} IS NULL)" if None in self.values else listed

    @property
    def phrase(self) -> str:
        """The condition in words."""
        name, word = _column_phrase(self.column, self.part), str if self.part is None else self.part.word
        ends = self.part.ends(self.values) if self.part is not None and len(self.values) >= _RUN else None
        if ends is not None:
            return f"{name} is from {word(ends[0])} to {word(ends[1])}"
        words = ["missing" if value is None else word(value) for value in self.values]
        if len(words) == 1:
            return f"{name} is {words[0]}"
        shown = words if len(words) <= 8 else [*words[:7], f"{len(words) - 7} other values"]
        return f"{name} is {', '.join(shown[:-1])} or {shown[-1]}"

    def matches(self, values: np.ndarray[Any, Any]) -> Bools:
        """Return which of these values are in the set. With a part, the values are dates or times as numbers."""
        wanted = set(self.values)
        if self.part is not None:
            numbers = self.part.numbers(values)
            listed = np.array([float(str(value)) for value in self.values if value is not None])
            is_listed: Bools = np.isin(numbers, listed)
            return is_listed | (np.isnan(numbers) & (None in wanted))
        return np.fromiter((value in wanted for value in values.tolist()), dtype=np.bool_, count=len(values))

    def to_json(self) -> dict[str, object]:
        """Return the condition as JSON data."""
        plain = [value if isinstance(value, str | int | float | bool | None) else str(value) for value in self.values]
        return {**_where(self.column, self.part), "values": plain}


Condition = Range | Values


@dataclass(frozen=True)
class Predicate:
    """A conjunction of conditions over the columns of the aggregate's input.

    >>> Predicate((Range("voltage", None, 2.4), Values("sensor", (15, None)))).sql
    'voltage <= 2.4 AND (sensor = 15 OR sensor IS NULL)'
    """

    conditions: tuple[Condition, ...]

    @property
    def sql(self) -> str:
        """The predicate as a SQL condition over the input's columns."""
        return " AND ".join(condition.sql for condition in self.conditions)

    @property
    def phrase(self) -> str:
        """The predicate in words."""
        return " and ".join(condition.phrase for condition in self.conditions)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the predicate reads."""
        return tuple(condition.column for condition in self.conditions)

    def matches(self, columns: Mapping[str, np.ndarray[Any, Any]]) -> Bools:
        """Return which rows meet the predicate, given their columns."""
        met = [condition.matches(columns[condition.column]) for condition in self.conditions]
        both: Bools = np.logical_and.reduce(met)
        return both

    def to_json(self) -> list[dict[str, object]]:
        """Return the predicate as JSON data."""
        return [condition.to_json() for condition in self.conditions]

    def __str__(self) -> str:
        return self.sql


def _read(column: str, part: TimePart | None) -> str:
    return quoted(column) if part is None else part.sql(quoted(column))


def _column_phrase(column: str, part: TimePart | None) -> str:
    return column if part is None else part.phrase(column)


def _where(column: str, part: TimePart | None) -> dict[str, object]:
    return {"column": column} if part is None else {"column": column, "part": part.name}


def clauses_of(predicate: Predicate) -> list[dict[str, object]]:
    """Return a predicate as JSON data with each clause also in words. Ends of ranges are numbers, also of dates."""
    return [_clause(each) for each in predicate.conditions]


def _clause(condition: Condition) -> dict[str, object]:
    said: dict[str, object] = {**_where(condition.column, condition.part), "phrase": condition.phrase}
    if isinstance(condition, Range):
        return said | {"low": condition.low, "high": condition.high}
    return said | {"values": condition.to_json()["values"]}


def quoted(name: str) -> str:
    """Return a column name as SQL writes it: in back-ticks unless it is a plain name."""
    parts = name.split(".") if re.fullmatch(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", name) else [name]
    return ".".join(
        part if re.fullmatch(r"[A-Za-z_]\w*", part) else "`" + part.replace("`", "``") + "`" for part in parts
    )


def sql_literal(value: object) -> str:
    """Return a value as a SQL literal.

    >>> sql_literal("it's"), sql_literal(True), sql_literal(2.5)
    ("'it\\\\'s'", 'true', '2.5')
    """
    match value:
        case bool():
            return str(value).lower()
        case int() | float() | Decimal():
            return str(value)
        case datetime():
            return f"TIMESTAMP '{value.isoformat(sep=' ')}'"
        case date():
            return f"DATE '{value.isoformat()}'"
    text = str(value).replace("\\", "\\\\").replace("'", "\\'")
    return f"'{text}'"


def shortest_between(above: float, upto: float) -> float:
    """Return the number with the fewest digits among those x with above < x <= upto.

    >>> shortest_between(42.1378, 42.2931), shortest_between(-3.5, -1.25), shortest_between(7.0, 8.0)
    (42.2, -2.0, 8.0)
    """
    # From multiples of 10^12 to 15 decimals, which is about what a double holds.
    for digits in range(-12, 16):
        candidate = _floored(upto, digits)
        if above < candidate <= upto:
            return candidate
    return upto


def _floored(value: float, digits: int) -> float:
    step = Decimal(1).scaleb(-digits)
    # Decimal, because floor(value / step) * step in floats brings back digits such as 42.300000000000004.
    return float((Decimal(repr(value)) / step).to_integral_value(rounding="ROUND_FLOOR") * step)


def range_of(
    column: str, bounds: Sequence[float | None], scale: Scale, is_whole: bool, part: TimePart | None = None
) -> Range:
    """Return the range whose ends have the fewest digits that separate the inside from the outside.

    `bounds` are the last value below, the first and the last value inside, and the first value above.
    """
    below, first, last, above = bounds
    if scale != "number" or is_whole:
        low, high = None if below is None else first, None if above is None else last
        return Range(column=column, low=low, high=high, scale=scale, is_whole=is_whole, part=part)
    low = None if below is None or first is None else shortest_between(below, first)
    high = None if above is None or last is None else -shortest_between(-above, -last)
    return Range(column, low, high, scale)
