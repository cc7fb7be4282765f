"""SQL for curves (regression, loess, density): a grid of places for each series, and the points they read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from whence.charts.edges import equal_width
from whence.charts.kinds import Kind
from whence.charts.relation import Relation
from whence.charts.source import Row
from whence.charts.sql import literal
from whence.charts.training import Training, as_number

MANY_ROWS = 5_000
"""With more rows, points are gathered first and stored as a dataset of their own.

Every place of a curve reads all points, so lineage would otherwise take an entry for each row and place.
"""

GATHERED = 1_000
"""How many intervals the points are gathered into."""


def grid(keys: Sequence[str], series: Sequence[Row], numbers: Sequence[str], places: int) -> str:
    """Return a query with `places` places g from lo to hi for each series, its keys as s_key, and its numbers."""
    columns = [*(f"s_{key}" for key in keys), *numbers]
    rows = ", ".join(
        "(" + ", ".join([*(_key(row[key]) for key in keys), *(_double(row[name]) for name in numbers)]) + ")"
        for row in series
    )
    table = f"(values {rows}) as s({', '.join(columns)})"
    place = f"lo + i * (hi - lo) / {max(places - 1, 1)}D"
    opened = f"select *, explode(sequence(0, {places - 1})) as i from {table}"
    return f"select {', '.join([*columns, 'i', f'{place} as g'])} from ({opened})"


def same_series(keys: Sequence[str]) -> str:
    """Return the SQL condition under which a row and a place belong to the same series."""
    # <=> also matches NULL with NULL: a missing key is a series, too.
    return " and ".join(f"{key} <=> s_{key}" for key in keys) or "true"


def gathered(given: Relation, keys: Sequence[str], axis: str, training: Training, why: str, *, with_y: bool) -> str:
    """Return a table of the points of curves: keys, a (along the axis), b (the other number, if needed), w (weight).

    Few rows stay as they are, with weight 1. Many are gathered into intervals, at the mean of each.
    """
    number = as_number(axis, given.kinds[axis])
    listed = ", ".join([*keys, ""]) if keys else ""
    where = f"{axis} is not null" + (" and y is not null" if with_y else "")
    second = ", cast(y as double) as b" if with_y else ""
    if training.rows <= MANY_ROWS:
        return f"(select {listed}{number} as a{second}, 1D as w from ({given.sql}) where {where})"
    low, high = training.extent(given, axis) or (0.0, 1.0)
    place = equal_width(low, high, GATHERED).index(number)
    second = ", avg(cast(y as double)) as b" if with_y else ""
    sql = (
        f"select {listed}avg({number}) as a{second}, cast(count(*) as double) as w from ({given.sql}) "
        f"where {where} group by {listed}{place}"
    )
    return training.stage(sql, why)


def kinds_of(keys: Sequence[str], kinds: Mapping[str, Kind]) -> dict[str, Kind]:
    """Return the kinds of the keys."""
    return {key: kinds[key] for key in keys}


def _key(value: object) -> str:
    return "cast(null as string)" if value is None else literal(value)


def _double(value: object) -> str:
    return f"{float(value)!r}D" if isinstance(value, int | float) else f"cast({literal(value)} as double)"
