"""A layer on its way from rows to marks: a SQL query whose columns are named after aesthetics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from whence.charts.kinds import Kind
from whence.charts.spec import FACETS
from whence.charts.sql import inner, select

_TELLING_APART = ("color", "shape", "size", "opacity", "text")
"""Aesthetics that form series if their column is text."""


@dataclass(frozen=True)
class Value:
    """How a column of marks is computed from rows: a function of one of their aesthetics, or of nothing (count)."""

    column: str
    function: str
    of: str | None = None
    share: float | None = None
    """Which quantile, between 0 and 1."""


FollowedShape = Literal["boxes", "points beyond boxes", "intervals", "densities", "regressions", "loess curves"]
"""The shapes whose marks measure several things. The shape decides how its marks follow a brush."""


@dataclass(frozen=True)
class Several:
    """How several columns of marks, or a whole curve, are computed from rows."""

    kind: FollowedShape
    column: str
    """The column of marks that holds the value itself. Other measures stand in columns beside it."""
    along: str | None
    """The aesthetic that gives a row its place along a curve."""
    of: str | None
    """The aesthetic that is measured."""
    options: Mapping[str, object] = field(default_factory=dict)
    series: tuple[Mapping[str, object], ...] = ()
    """For each curve, its keys and the numbers it is computed with."""


@dataclass(frozen=True)
class Grouping:
    """A relation as one group-by: its source, condition, keys and measures, each as SQL."""

    source: str
    where: tuple[str, ...]
    keys: Mapping[str, str]
    measures: Mapping[str, str]


@dataclass(frozen=True)
class Outlines:
    """The outlines of marks that have a shape of their own, which no column of the mark table can hold."""

    keys: tuple[str, ...] = ()
    """The columns that, with color, say which mark an outline belongs to."""
    rings: Mapping[tuple[object, ...], list[list[tuple[float, float]]]] = field(default_factory=dict)
    """The closed lines of each mark."""
    units: tuple[float, float] = (1.0, 1.0)
    """How many units of the lines are one unit of the picture, along x and y."""

    def written(self, write: Callable[[object], object]) -> Outlines:
        """Return the same with keys as the rows of a picture hold them."""
        return replace(self, rings={tuple(map(write, key)): rings for key, rings in self.rings.items()})

    def of(self, row: Mapping[str, object]) -> list[list[tuple[float, float]]]:
        """Return the closed lines of a mark in the units of the picture, none if it has no outline."""
        wide, high = self.units
        found = self.rings.get((*(row.get(key) for key in self.keys), row.get("color")), [])
        return [[(x / wide, y / high) for x, y in ring] for ring in found]


@dataclass(frozen=True)
class Relation:
    """A query, the kinds of its columns, and the order in which its rows are drawn."""

    sql: str
    kinds: Mapping[str, Kind]
    order: tuple[str, ...] = ()
    value: Value | None = None
    titles: Mapping[str, str] = field(default_factory=dict)
    is_raw: bool = True
    """Whether each row of the data is one mark."""
    notes: tuple[str, ...] = ()
    """Sentences that a reader of the chart should know."""
    grouping: Grouping | None = None
    """The same query as a group-by, if it is one whose keys are all shown (see `fuse`)."""
    several: Several | None = None
    outlines: Outlines = field(default_factory=Outlines)

    @property
    def groups(self) -> tuple[str, ...]:
        """The columns that distinguish series and panels. Stats compute their results for each."""
        apart = [name for name in _TELLING_APART if self.kinds.get(name) == "text"]
        return tuple(name for name in (*FACETS, "detail", *apart) if name in self.kinds)

    def derived(
        self,
        items: Mapping[str, str],
        kinds: Mapping[str, Kind],
        *,
        where: Sequence[str] = (),
        group_by: Sequence[str] = (),
        order: Sequence[str] = (),
        titles: Mapping[str, str] | None = None,
        value: Value | None = None,
        several: Several | None = None,
    ) -> Relation:
        """Return a query over this one."""
        return replace(
            self,
            sql=select(items, inner(self.sql), where, group_by),
            kinds=dict(kinds),
            order=tuple(order) or self.order,
            value=value,
            several=several,
            titles={**self.titles, **(titles or {})},
            is_raw=self.is_raw and not group_by and value is None,
            grouping=_grouping(self.sql, items, where, group_by),
        )

    def noted(self, note: str) -> Relation:
        """Return the same relation with one more note for readers of the chart."""
        return replace(self, notes=(*self.notes, note))


def _grouping(sql: str, items: Mapping[str, str], where: Sequence[str], group_by: Sequence[str]) -> Grouping | None:
    """Return the parts of a group-by, or None if some key is not shown: its groups could not be distinguished."""
    keys = {name: item for name, item in items.items() if item in group_by}
    if not group_by or set(keys.values()) != set(group_by):
        return None
    return Grouping(sql, tuple(where), keys, {name: item for name, item in items.items() if name not in keys})
