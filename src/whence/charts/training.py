"""Learns from the data what a layer must know before it is drawn: ranges, counts, quartiles; each question once."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal

from whence.charts.relation import Relation
from whence.charts.source import Row, Source
from whence.charts.spec import Layer
from whence.charts.sql import inner, select


def as_number(column: str, kind: str) -> str:
    """A column as a double; of a time its microseconds since 1970, which a double holds exactly for 285 years."""
    return (
        f"cast(unix_micros(cast({column} as timestamp)) as double)" if kind == "time" else f"cast({column} as double)"
    )


def from_number(number: str, kind: str) -> str:
    """The number as what `as_number` was given."""
    return f"timestamp_micros(cast(round({number}) as bigint))" if kind == "time" else number


class Training:
    """The questions of one layer."""

    def __init__(self, source: Source, layer: Layer) -> None:
        self._source = source
        self._layer = layer
        self._known: dict[str, list[Row]] = {}

    @property
    def rows(self) -> int:
        """How many rows the dataset has."""
        return self._source.rows(self._layer.data)

    def extent(self, given: Relation, column: str) -> tuple[float, float] | None:
        """The smallest and largest number of a column, of all panels and series; None if there is none."""
        kind = given.kinds[column]
        channel = self._layer.aes.get(column)
        if given.is_raw and channel is not None and self._layer.data.where is None:
            known = self._source.extent(self._layer.data, channel)
            numbers = None if known is None else [_number(each) for each in known]
            if numbers is not None and all(each is not None and math.isfinite(each) for each in numbers):
                return numbers[0], numbers[1]  # type: ignore[return-value]
        number = as_number(column, kind)
        (row,) = self.ask(select({"lo": f"min({number})", "hi": f"max({number})"}, inner(given.sql)))
        low, high = _number(row["lo"]), _number(row["hi"])
        return None if low is None or high is None else (low, high)

    def by_group(self, given: Relation, items: Mapping[str, str], where: str = "true") -> list[Row]:
        """Aggregates for each series of each panel."""
        keys = given.groups
        return self.ask(select({**{key: key for key in keys}, **items}, inner(given.sql), [where], keys))

    def ask(self, sql: str) -> list[Row]:
        """Run a query, or remember what it said."""
        if sql not in self._known:
            self._known[sql] = self._source.ask(sql)
        return self._known[sql]

    def sample(self, n: int, seed: int) -> str:
        """The name of a random sample of the layer's rows."""
        return self._source.sample(self._layer.data, n, seed)

    def stage(self, sql: str, why: str) -> str:
        """Keep what a query gives as a dataset on the way."""
        return self._source.stage(sql, why)


def _number(value: object) -> float | None:
    match value:
        case bool() | None:
            return None
        case datetime():
            known = value if value.tzinfo is not None else value.replace(tzinfo=UTC)
            whole = known - datetime(1970, 1, 1, tzinfo=UTC)
            return float(whole.days * 86_400_000_000 + whole.seconds * 1_000_000 + whole.microseconds)
        case date():
            return float((value - date(1970, 1, 1)).days * 86_400_000_000)
        case int() | float() | Decimal():
            return float(value)
    return None
