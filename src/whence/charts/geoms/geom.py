"""The base class of geoms: which drawing stands for a mark, what it needs, and its defaults."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from whence.charts.geoms.ground import Ground
from whence.charts.geoms.traits import GeomTraits
from whence.charts.kinds import Kind
from whence.charts.operator import Call, Operator
from whence.charts.options import Chosen
from whence.charts.relation import Outlines
from whence.model.parameter import Parameter

Encoding = dict[str, object]
Json = dict[str, object]
Row = dict[str, object]

STYLE = (
    Parameter("color", "text", "the colour of all marks"),
    Parameter("size", "number", "the size of all marks", least=0),
    Parameter("opacity", "number", "how much all marks cover", least=0),
    Parameter("shape", "text", "the shape of all points"),
    Parameter("width", "number", "the width of lines", least=0),
    Parameter("dash", "numbers", "the lengths of dashes and gaps"),
)

GAP = "gap"
"""The Vega-Lite style of marks with a thin gap between neighbours, in the colour of the page."""
ACROSS: Json = {"type": "tick", "orient": "horizontal"}
"""A tick across the y axis. Without `orient`, Vega-Lite draws it along y if x is a number, too."""


@dataclass(frozen=True)
class Drawing:
    """One Vega-Lite mark: its properties, the channels it uses, and the fields they show."""

    mark: Json
    channels: tuple[str, ...]
    fields: Mapping[str, str]
    """The field of a channel, where it has another name than the channel."""
    is_pick: bool = False
    """Whether it is invisible and only there to be pointed at."""
    apart: tuple[str, ...] = ()
    """The fields that tell its shapes apart beside `detail`."""
    fixed: Mapping[str, object] = field(default_factory=dict)
    """Channels of Vega-Lite whose fields hold places already, such as angles, so that no scale is trained for them."""
    is_around: bool = False
    """Whether it stands at `_across` and `_up`, in radii from the centre of the panel."""
    transform: tuple[Json, ...] = ()
    """What Vega-Lite adds to each row before it draws it, such as the outline of a country."""


@dataclass(frozen=True)
class Room:
    """What shapes without an axis of their own share: slots, the greatest density, and the values of all marks."""

    slots: Mapping[object, int]
    widest: float
    originals: Mapping[object, float]
    """The value of each mark over all rows, which stays the same if a selection is drawn over the chart."""
    outlines: Outlines = field(default_factory=Outlines)
    """The outlines of the marks of one layer."""


@dataclass(frozen=True)
class Frame:
    """How many pixels a panel has for a unit of x, and for a unit of y. Keys lie along x."""

    across: float
    up: float


class Geom(Operator, ABC):
    """One kind of mark."""

    options: ClassVar[tuple[Parameter, ...]] = STYLE
    traits: ClassVar[GeomTraits]

    def default_stats(self, kinds: Mapping[str, Kind], path: str, *, is_open: bool) -> tuple[Call, ...]:
        """Return the stats for columns of these kinds. `is_open` says that the chart names no geom either."""
        return () if self.traits.stat is None else (Call(self.traits.stat, {}, path),)

    def prepare(self, rows: list[Row], room: Room, chosen: Chosen) -> list[Row]:
        """Return the rows with the fields that only this geom's drawings use. Keys lie along x."""
        return rows

    def selected(self, rows: list[Row]) -> list[Row]:
        """Return the rows that a selection has left, as they are drawn without the others."""
        return rows

    def remarks(self, rows: list[Row], chosen: Chosen) -> list[str]:
        """Return sentences for the reader about rows that cannot be drawn as they are. Keys lie along x."""
        return []

    def ground(self, rows: list[Row], chosen: Chosen) -> Ground | None:
        """Return the map that its marks lie on, or None if they lie between axes."""
        return None

    def cut(self, mark: Json, rows: list[Row], frame: Frame) -> Json:
        """Return the properties of a drawing whose shape depends on the pixels of the panel."""
        return mark

    @abstractmethod
    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """Return the drawings, lowest first."""

    @property
    def channels(self) -> frozenset[str]:
        """The aesthetics that it shows."""
        needed = {name for need in self.traits.needs for name in need.split("|")}
        # Drawn for no columns and no options, which shows every channel that it can use.
        seen = (each for each in self.draw({}, {}) if not each.is_pick)
        return frozenset(needed | {name for each in seen for name in each.channels if name not in each.fields})


def styled(mark: Json, chosen: Chosen) -> Json:
    """Return the mark with the style options that the chart names."""
    names = {"width": "strokeWidth", "dash": "strokeDash"}
    return {
        **mark,
        **{names.get(key, key): chosen[key] for key in chosen if chosen[key] is not None and key in _STYLED},
    }


def thin_bar(mark: Json, kinds: Mapping[str, Kind]) -> Json:
    """Return the mark as a bar a few pixels wide if it stands at a number and has no edges of its own."""
    has_width = "x2" in kinds or kinds.get("x") not in ("number", "time")
    return mark if has_width else {**mark, "type": "bar", "size": 3, "orient": "vertical", "strokeWidth": 0.2}


INTERPOLATE = Parameter(
    "interpolate",
    "choice",
    "how a line goes from mark to mark",
    choices=("linear", "step", "step-before", "step-after", "monotone", "basis", "cardinal"),
)


def interpolated(mark: Json, chosen: Chosen) -> Json:
    """Return the mark with the interpolation that the chart names."""
    return mark if chosen.get("interpolate") is None else {**mark, "interpolate": chosen["interpolate"]}


_STYLED = frozenset(option.name for option in STYLE)
