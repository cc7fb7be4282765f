"""The data model of a chart specification: the eight classes of Ermac's grammar (Wu 2015, section 6.3)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from whence.charts.filters import Condition
from whence.charts.fold import Fold
from whence.charts.operator import Call

CHANNELS = ("x", "x2", "y", "y2", "color", "size", "shape", "opacity", "text", "detail", "order")
"""The aesthetics to which a column can be mapped."""

POSITIONS = ("x", "x2", "y", "y2")

_NAME = re.compile(r"\w+|`([^`]|``)+`")
"""A condition that is one name, such as true. Spark reads `t where (true)` as an alias of t: `t as where(true)`."""

SCALED = ("x", "y", "color", "size", "shape", "opacity")
"""The aesthetics that have a scale."""

FACETS = ("facet", "facet_x", "facet_y")
"""The columns of the mark table that say to which panel a mark belongs."""

ALIASES = {
    "colour": "color",
    "fill": "color",
    "label": "text",
    "group": "detail",
    "alpha": "opacity",
    "radius": "size",
    "xmax": "x2",
    "ymax": "y2",
    "xmin": "x",
    "ymin": "y",
}
"""Other names of aesthetics, such as those of ggplot2."""


@dataclass(frozen=True)
class Channel:
    """What an aesthetic shows: a column, a SQL expression over the columns, or one constant for all marks."""

    column: str | None = None
    sql: str | None = None
    value: object = None
    title: str | None = None
    path: str = ""
    """Its place in the JSON, for messages."""

    @property
    def is_constant(self) -> bool:
        """Whether it reads no column."""
        return self.column is None and self.sql is None

    @property
    def name(self) -> str:
        """The name that axes and legends show."""
        return self.title or self.column or self.sql or ""


@dataclass(frozen=True)
class Data:
    """The rows that a layer draws: a dataset by name (None: the chart's own dataset), conditions, folded columns."""

    name: str | None = None
    where: tuple[Condition, ...] = ()
    fold: Fold | None = None
    path: str = "data"

    def table(self, name: str) -> str:
        """Return SQL for its rows, given that of the dataset: filtered before columns are folded."""
        if self.fold is None:
            return name
        kept = f"(select * from {name} where {' and '.join(self.conditions)})" if self.where else name
        return self.fold.over(kept)

    @property
    def conditions(self) -> list[str]:
        """The conditions as SQL, to be joined by AND."""
        return [each.sql if _NAME.fullmatch(each.sql.strip()) else f"({each.sql})" for each in self.where]


@dataclass(frozen=True)
class Layer:
    """One layer of a chart. If geom, stats or position is None, the compiler chooses it by the types of the columns."""

    number: int
    data: Data
    aes: Mapping[str, Channel]
    stats: tuple[Call, ...] | None
    geom: Call | None
    pos: Call | None
    axis: str = "left"
    """Whether its measure is read from the axis that all layers share, or from one of its own at the right."""
    shared_stats: tuple[Call, ...] | None = None
    shared_geom: Call | None = None
    """The stats and the geom at the top of the specification, whose marks a reference line may be about."""
    panel: Mapping[str, object] = field(default_factory=dict)
    """For a copy of the layer in a parameter facet: the parameter's value, by facet column."""
    path: str = ""


@dataclass(frozen=True)
class Side:
    """One direction of a facet: a column, or a parameter and its values."""

    channel: Channel | None = None
    parameter: str | None = None
    values: tuple[object, ...] = ()
    title: str = ""


@dataclass(frozen=True)
class Facet:
    """Small multiples: a grid of rows and columns, or one sequence of panels that wraps."""

    x: Side | None = None
    y: Side | None = None
    wrap: Side | None = None
    columns: int | None = None
    free: str = ""
    """The axes whose domain each panel learns from its own marks: "", x, y or xy."""

    @property
    def sides(self) -> dict[str, Side]:
        """The directions in use, by facet column."""
        named = {"facet_x": self.x, "facet_y": self.y, "facet": self.wrap}
        return {name: side for name, side in named.items() if side is not None}


@dataclass(frozen=True)
class Look:
    """Title, size and layout of the chart."""

    title: str | None = None
    width: int | None = None
    height: int | None = None
    flip: bool = False
    ratio: float | None = None


@dataclass(frozen=True)
class Spec:
    """A whole chart specification."""

    layers: tuple[Layer, ...]
    facet: Facet
    scales: Mapping[str, Call]
    look: Look
    max_marks: int
    json: Mapping[str, object]
    """The JSON that it was parsed from."""
