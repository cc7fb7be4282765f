"""Queries that learn what a layer must know before it is compiled: ranges, counts, quartiles. Each runs once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal

from whence.charts.relation import Relation
from whence.charts.source import Row, Source
from whence.charts.spec import Layer
from whence.charts.sql import inner, select


def as_number(column: str, kind: str) -> str:
    """Return SQL for a column as a double. Times become microseconds since 1970, exact for 285 years."""
    return (
        f"cast(unix_micros(cast({column} as timestamp)) as double)" if kind == "time" else f"cast({column} as double)"
    )


def from_number(number: str, kind: str) -> str:
    """Return SQL that turns a number of `as_number` back into a value of the column's kind."""
    return f"timestamp_micros(cast(round({number}) as bigint))" if kind == "time" else number


class Training:
    """The queries of one layer, with their cached results."""

    def __init__(self, source: Source, layer: Layer) -> None:
        self._source = source
        self._layer = layer
        self._known: dict[str, list[Row]] = {}

    @property
    def rows(self) -> int:
        """The number of rows of the layer's dataset."""
        return self._source.rows(self._layer.data)

    def extent(self, given: Relation, column: str) -> tuple[float, float] | None:
        """Return the smallest and largest number of a column over all panels and series, or None if there is none."""
        kind = given.kinds[column]
        channel = self._layer.aes.get(column)
        # Parquet footers know the range of a whole column. A condition or an earlier stat may narrow it.
        if given.is_raw and channel is not None and not self._layer.data.where:
            known = self._source.extent(self._layer.data, channel)
            numbers = None if known is None else [_number(each) for each in known]
            # A footer may hold an infinity, which charts leave out.
            if numbers is not None and all(each is not None and math.isfinite(each) for each in numbers):
                return numbers[0], numbers[1]  # type: ignore[return-value]
        number = as_number(column, kind)
        (row,) = self.ask(select({"lo": f"min({number})", "hi": f"max({number})"}, inner(given.sql)))
        low, high = _number(row["lo"]), _number(row["hi"])
        return None if low is None or high is None else (low, high)

    def by_group(
        self, given: Relation, items: Mapping[str, str], where: str = "true", keys: Sequence[str] | None = None
    ) -> list[Row]:
        """Return aggregates for each series of each panel, or for each combination of other keys."""
        keys = given.groups if keys is None else keys
        return self.ask(select({**{key: key for key in keys}, **items}, inner(given.sql), [where], keys))

    def ask(self, sql: str) -> list[Row]:
        """Return the rows of a query, from the cache if it ran before."""
        if sql not in self._known:
            self._known[sql] = self._source.ask(sql)
        return self._known[sql]

    def sample(self, n: int, seed: int) -> str:
        """Return the name of a view with a random sample of the layer's rows."""
        return self._source.sample(self._layer.data, n, seed)

    def stage(self, sql: str, why: str) -> str:
        """Store the result of a query as an intermediate dataset, and return its placeholder."""
        return self._source.stage(sql, why)


def _number(value: object) -> float | None:
    match value:
        # A boolean is an int in Python, but no number on an axis.
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
