"""Suggest charts for a dataset that is new to the user, from the kinds and profiles of its columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from whence.charts.kinds import Kind, kind_of
from whence.model.dataset import DatasetRecord
from whence.model.schema import Field
from whence.store.profile import Profile
from whence.store.store import Store

_FEW, _MANY = 2, 40
"""The fewest and the most distinct values of a column of categories."""
_LOOKED_AT = 30
"""The most columns that are profiled."""
_SERIES = 12
"""The most boxes side by side, and the most values that a whole number has as a category."""
_IDS = frozenset({
    "id", "key", "uuid", "guid", "zip", "zipcode", "postcode", "code", "cd", "fips", "ssn", "isbn", "phone", "fax",
    "lat", "lon", "lng", "long", "latitude", "longitude", "coord", "coordinate", "tz", "timezone",
    "precinct", "district", "borough", "council", "community", "ward",
    "tract", "index", "idx", "rowid", "label", "seed", "cluster",
})  # fmt: skip
"""Words in a column's name that mark a number as a name or place rather than a measure."""
_LAST = frozenset({"num", "number", "no", "nr"})
"""Words that do so at the end of a name: a file number is a name, while a number of files is counted."""
_CALENDAR = frozenset({"year", "yr", "quarter", "month", "week", "weekday", "day", "hour", "minute", "dow", "doy"})
"""Words that mark a number as a place in a calendar."""
_LONG = 12
"""From so many letters on, names are easier to read beside bars than below them."""
_SPANS = (("year", 3650), ("month", 200), ("day", 4), ("hour", 0))
"""Calendar units, each with the number of days from which a histogram over time uses it."""


@dataclass(frozen=True)
class ChartSuggestion:
    """A chart specification, and a sentence that says what it shows."""

    spec: dict[str, object]
    why: str


@dataclass(frozen=True)
class _Column:
    name: str
    kind: Kind
    profile: Profile

    @property
    def tells_apart(self) -> bool:
        """Whether its values are few enough to be categories."""
        distinct = self.profile.distinct or 0
        repeats = distinct < self.profile.count - self.profile.nulls
        return repeats and _FEW <= distinct <= _MANY and (self.kind == "text" or distinct <= _SERIES)

    @property
    def names_rows(self) -> bool:
        """Whether it is a text that names each of a few rows, as the groups of a summary do."""
        counted = self.profile.count - self.profile.nulls
        return self.kind == "text" and self.profile.distinct == counted and _FEW <= counted <= _MANY

    @property
    def measures(self) -> bool:
        """Whether it is a number that measures something, not an id or a coordinate."""
        is_number = self.kind == "number" and (self.profile.distinct or 0) > _FEW
        return is_number and not self.is_id and not self.is_calendar

    @property
    def is_id(self) -> bool:
        """Whether it names rows or places: by its words, or as whole numbers of which none repeats."""
        words = self.words
        if words & _IDS or _LAST & set(_words(self.name)[-1:]):
            return True
        counted = self.profile.count - self.profile.nulls
        is_whole = self.profile.type in ("tinyint", "smallint", "int", "bigint")
        is_unique = self.profile.distinct_error == 0 and self.profile.distinct == counted and counted > _MANY
        return is_whole and is_unique

    @property
    def is_calendar(self) -> bool:
        """Whether it is a number such as a year or a day, along which things are drawn."""
        is_whole = self.profile.type in ("tinyint", "smallint", "int", "bigint")
        return is_whole and bool(self.words & _CALENDAR) and (self.profile.distinct or 0) > _FEW

    @property
    def words(self) -> frozenset[str]:
        """The words of its name, in small letters, as one thing and as several: ids, id."""
        found = _words(self.name)
        return frozenset([*found, *(word.removesuffix("s") for word in found)])

    @property
    def has_long_names(self) -> bool:
        """Whether its values are many or long, so that they are read beside bars that lie."""
        names = [str(value) for value, _ in self.profile.top]
        return (self.profile.distinct or 0) > _SERIES or max(map(len, names), default=0) >= _LONG


def suggest_charts(store: Store, record: DatasetRecord, count: int = 3) -> list[ChartSuggestion]:
    """Return up to `count` charts, the most telling first. This reads profiles only and needs no Spark."""
    columns = [_column(store, record, field) for field in list(record.schema)[:_LOOKED_AT]]
    offered = _offered([each for each in columns if (each.profile.distinct or 0) > 1])
    found: list[ChartSuggestion] = []
    for each in offered:
        if len(found) < count and each.spec not in [known.spec for known in found]:
            found.append(each)
    return found


def _column(store: Store, record: DatasetRecord, field: Field) -> _Column:
    return _Column(field.name, kind_of(field.type), store.profiles.profile(record, field.name))


def _offered(columns: list[_Column]) -> Iterator[ChartSuggestion]:
    # Numbers of few values, such as ratings, measure less than others do.
    measures = sorted(
        (each for each in columns if each.measures), key=lambda each: (each.profile.distinct or 0) <= _SERIES
    )
    apart = [each for each in columns if each.tells_apart and not each.measures and not each.is_calendar]
    groups = sorted(apart, key=_tells_little)
    times = [each for each in columns if each.kind == "time"]
    numbers = measures or [
        each for each in columns if each.kind == "number" and not each.is_id and not each.is_calendar
    ]
    for name in [each for each in columns if each.names_rows][: 1 if numbers else 0]:
        yield ChartSuggestion(_bars(name, numbers[0]), f"{numbers[0].name} for each {name.name}.")
    for time in times[:1]:
        unit = _unit(time)
        spec: dict[str, object] = {"aes": {"x": time.name}, "stat": {"type": "bin", "unit": unit}, "geom": "line"}
        why = f"How many rows there are in each {unit} of {time.name}."
        if measures:
            spec = {
                "aes": {"x": time.name, "y": measures[0].name},
                "stat": {"type": "bin", "unit": unit, "fun": "mean"},
                "geom": "line",
            }
            why = f"The mean of {measures[0].name} by {unit} of {time.name}."
        yield ChartSuggestion(spec, why)
    for calendar in [each for each in columns if each.is_calendar][: 0 if times else 1]:
        yield _along(calendar, measures)
    for group in groups[:1]:
        if measures and (group.profile.distinct or 0) <= _SERIES:
            spec = {"aes": {"x": group.name, "y": measures[0].name}, "geom": "box", **_one_by_one(group)}
            yield ChartSuggestion(spec, f"How {measures[0].name} spreads for each {group.name}.")
    for measure in measures[:1]:
        yield ChartSuggestion({"aes": {"x": measure.name}, "geom": "histogram"}, f"How {measure.name} is distributed.")
    for group in groups[:1]:
        yield ChartSuggestion(_counts(group), f"How many rows there are for each {group.name}.")
    if len(measures) > 1:
        spec = {"aes": {"x": measures[0].name, "y": measures[1].name}, "geom": "point"}
        yield ChartSuggestion(spec, f"{measures[1].name} against {measures[0].name}.")
    yield from (
        ChartSuggestion({"aes": {"x": each.name}, "geom": "histogram"}, f"How {each.name} is distributed.")
        for each in measures[1:]
    )
    yield from (ChartSuggestion(_counts(each), f"How many rows there are for each {each.name}.") for each in groups[1:])


def _summary(columns: list[_Column], measures: list[_Column]) -> Iterator[ChartSuggestion]:
    """Yield bars of a number for each name, if a column names each row."""
    numbers = measures or [
        each for each in columns if each.kind == "number" and not each.is_id and not each.is_calendar
    ]
    names = [each for each in columns if each.names_rows]
    if numbers and names:
        yield ChartSuggestion(_bars(names[0], numbers[0]), f"{numbers[0].name} for each {names[0].name}.")


def _along(calendar: _Column, measures: list[_Column]) -> ChartSuggestion:
    """Return a line along a number that is a place in a calendar."""
    if not measures:
        spec: dict[str, object] = {"aes": {"x": calendar.name}, "stat": "count", "geom": "line"}
        return ChartSuggestion(spec, f"How many rows there are for each {calendar.name}.")
    spec = {"aes": {"x": calendar.name, "y": measures[0].name}, "stat": "mean", "geom": "line"}
    return ChartSuggestion(spec, f"The mean of {measures[0].name} by {calendar.name}.")


def _tells_little(column: _Column) -> tuple[bool, int]:
    """Sort columns of three to twelve categories first, those of fewer before those of more."""
    distinct = column.profile.distinct or 0
    return not _FEW < distinct <= _SERIES, distinct


def _counts(column: _Column) -> dict[str, object]:
    """Return bars of how often each value is there, the most frequent first."""
    if not column.has_long_names:
        return {"aes": {"x": column.name}, "geom": "bar", **_one_by_one(column)}
    return {"aes": {"y": column.name}, "geom": "bar", "scale": {"y": {"order_by": "-x"}}}


def _bars(name: _Column, measure: _Column) -> dict[str, object]:
    """Return a bar as long as the measure for each name; names that are many or long stand beside their bars."""
    across, along = ("y", "x") if name.has_long_names else ("x", "y")
    return {"aes": {across: name.name, along: measure.name}, "stat": "identity", "geom": "bar"}


def _one_by_one(column: _Column) -> dict[str, object]:
    """Return the scale on which numbers that are categories stand side by side, without halves between them."""
    return {} if column.kind == "text" else {"scale": {"x": "band"}}


def _words(name: str) -> list[str]:
    """Return the words of a name, whether they are parted by spaces, underscores or capitals.

    >>> _words("PassengerId"), _words("INCIDENT_KEY")
    (['passenger', 'id'], ['incident', 'key'])
    """
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return [word.lower() for word in re.split(r"[\W_]+", parted) if word]


def _unit(column: _Column) -> str:
    low, high = column.profile.min, column.profile.max
    days = getattr(high - low, "days", 0) if low is not None and high is not None else 0  # type: ignore[operator]
    return next(unit for unit, least in _SPANS if days >= least)
