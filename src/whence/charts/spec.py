"""What a specification says, once read: the eight classes of Ermac's grammar (Wu 2015, section 6.3) as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from whence.charts.operator import Call

CHANNELS = ("x", "x2", "y", "y2", "color", "size", "shape", "opacity", "text", "detail", "order")
"""What a column can be seen as."""

POSITIONS = ("x", "x2", "y", "y2")

SCALED = ("x", "y", "color", "size", "shape", "opacity")
"""What has a scale."""

FACETS = ("facet", "facet_x", "facet_y")
"""The columns in which the mark table says to which panel a mark belongs."""

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


@dataclass(frozen=True)
class Channel:
    """A column, a SQL expression over the columns, or one value for all marks."""

    column: str | None = None
    sql: str | None = None
    value: object = None
    title: str | None = None
    path: str = ""

    @property
    def is_constant(self) -> bool:
        """It reads nothing."""
        return self.column is None and self.sql is None

    @property
    def name(self) -> str:
        """What axes and legends call it."""
        return self.title or self.column or self.sql or ""


@dataclass(frozen=True)
class Data:
    """Which rows a layer draws: a dataset by name (None: the one the chart is of), and a SQL condition."""

    name: str | None = None
    where: str | None = None
    path: str = "data"


@dataclass(frozen=True)
class Layer:
    """What is drawn in one pass. Left open: geom, stats and position, which the types of the columns then decide."""

    number: int
    data: Data
    aes: Mapping[str, Channel]
    stats: tuple[Call, ...] | None
    geom: Call | None
    pos: Call | None
    panel: Mapping[str, object] = field(default_factory=dict)
    """The parameter values this copy of the layer stands for, by facet column."""
    path: str = ""


@dataclass(frozen=True)
class Side:
    """One direction of a facet: a column, or a parameter with the values it takes."""

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
    """The axes that each panel trains for itself: "", x, y or xy."""

    @property
    def sides(self) -> dict[str, Side]:
        """By facet column."""
        named = {"facet_x": self.x, "facet_y": self.y, "facet": self.wrap}
        return {name: side for name, side in named.items() if side is not None}


@dataclass(frozen=True)
class Look:
    """The page around the marks."""

    title: str | None = None
    width: int | None = None
    height: int | None = None
    flip: bool = False
    ratio: float | None = None


@dataclass(frozen=True)
class Spec:
    """A whole chart."""

    layers: tuple[Layer, ...]
    facet: Facet
    scales: Mapping[str, Call]
    look: Look
    max_marks: int
    json: Mapping[str, object]
    """As it was given."""
