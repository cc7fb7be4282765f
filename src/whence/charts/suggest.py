"""Suggest charts for a dataset that is new to the user, from the kinds and profiles of its columns."""

from __future__ import annotations

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
_IDS = ("id", "key", "uuid", "zip", "code", "lat", "lon", "latitude", "longitude", "year")
"""Words in a column's name that mark a number as a name or place rather than a measure."""
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
        return _FEW <= distinct <= _MANY and (self.kind == "text" or distinct <= 12)

    @property
    def measures(self) -> bool:
        """Whether it is a number that measures something, not an id or a coordinate."""
        words = self.name.lower().replace("_", " ").split()
        return self.kind == "number" and (self.profile.distinct or 0) > _FEW and not set(words) & set(_IDS)


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
    measures = [each for each in columns if each.measures]
    apart = [each for each in columns if each.tells_apart and not each.measures]
    groups = sorted(apart, key=lambda each: each.profile.distinct or 0)
    times = [each for each in columns if each.kind == "time"]
    for time in times[:1]:
        unit = _unit(time)
        spec: dict[str, object] = {"aes": {"x": time.name}, "stat": {"type": "bin", "unit": unit}, "geom": "bar"}
        why = f"How many rows there are in each {unit} of {time.name}."
        if measures:
            spec = {
                "aes": {"x": time.name, "y": measures[0].name},
                "stat": {"type": "bin", "unit": unit, "fun": "mean"},
                "geom": "line",
            }
            why = f"The mean of {measures[0].name} by {unit} of {time.name}."
        yield ChartSuggestion(spec, why)
    for group in groups[:1]:
        if measures:
            spec = {"aes": {"x": group.name, "y": measures[0].name}, "geom": "box"}
            yield ChartSuggestion(spec, f"How {measures[0].name} spreads for each {group.name}.")
    for measure in measures[:1]:
        yield ChartSuggestion({"aes": {"x": measure.name}, "geom": "histogram"}, f"How {measure.name} is distributed.")
    for group in groups[:1]:
        yield ChartSuggestion(
            {"aes": {"x": group.name}, "geom": "bar"}, f"How many rows there are for each {group.name}."
        )
    if len(measures) > 1:
        spec = {"aes": {"x": measures[0].name, "y": measures[1].name}, "geom": "point"}
        yield ChartSuggestion(spec, f"{measures[1].name} against {measures[0].name}.")
    yield from (
        ChartSuggestion({"aes": {"x": each.name}, "geom": "histogram"}, f"How {each.name} is distributed.")
        for each in measures[1:]
    )
    yield from (
        ChartSuggestion({"aes": {"x": each.name}, "geom": "bar"}, f"How many rows there are for each {each.name}.")
        for each in groups[1:]
    )


def _unit(column: _Column) -> str:
    low, high = column.profile.min, column.profile.max
    days = getattr(high - low, "days", 0) if low is not None and high is not None else 0  # type: ignore[operator]
    return next(unit for unit, least in _SPANS if days >= least)
