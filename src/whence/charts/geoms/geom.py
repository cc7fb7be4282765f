"""What a geom is: which drawing stands for a mark, what it needs, and what it does by default."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from whence.charts.kinds import Kind
from whence.charts.operator import Operator
from whence.charts.option import Chosen, Option

Encoding = dict[str, object]
Json = dict[str, object]

STYLE = (
    Option("color", "text", "the colour of all marks"),
    Option("size", "number", "the size of all marks", least=0),
    Option("opacity", "number", "how much all marks cover", least=0),
    Option("shape", "text", "the shape of all points"),
    Option("width", "number", "the width of lines", least=0),
    Option("dash", "numbers", "the lengths of dashes and gaps"),
)


@dataclass(frozen=True)
class Drawing:
    """One Vega-Lite mark: its properties, the channels it uses, and fields that stand in for others."""

    mark: Json
    channels: tuple[str, ...]
    fields: Mapping[str, str]
    """Channel -> field, where they are called differently."""
    is_pick: bool = False
    """It is there to be pointed at, not to be seen."""


class Geom(Operator, ABC):
    """One kind of mark."""

    options: ClassVar[tuple[Option, ...]] = STYLE
    needs: ClassVar[tuple[str, ...]] = ("x", "y")
    stat: ClassVar[str] = "identity"
    """What is computed if nothing is said."""
    pos: ClassVar[str] = "identity"
    from_zero: ClassVar[bool] = False
    """Its length is read, so the axis of the measure begins at zero."""
    fields: ClassVar[tuple[str, ...]] = ()
    """Other columns that are drawn along the axis of the measure."""
    is_hatched: ClassVar[bool] = False
    """It has an area, on which doubt is shown by hatching; other marks get a dashed ring."""
    connects: ClassVar[bool] = False
    """One line for many marks."""

    def default_stat(self, kinds: Mapping[str, Kind]) -> str:
        """What is computed if nothing is said, for columns of these kinds."""
        return self.stat

    @abstractmethod
    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """The drawings, lowest first."""


def styled(mark: Json, chosen: Chosen) -> Json:
    """The mark with the style that was asked for."""
    names = {"width": "strokeWidth", "dash": "strokeDash"}
    return {
        **mark,
        **{names.get(key, key): chosen[key] for key in chosen if chosen[key] is not None and key in _STYLED},
    }


def thin_bar(mark: Json, kinds: Mapping[str, Kind]) -> Json:
    """The mark as a bar some pixels wide where bars stand at numbers without edges; edges win where there are some."""
    has_width = "x2" in kinds or kinds.get("x") not in ("number", "time")
    return mark if has_width else {**mark, "type": "bar", "size": 3, "orient": "vertical", "strokeWidth": 0.2}


INTERPOLATE = Option(
    "interpolate",
    "choice",
    "how a line goes from mark to mark",
    choices=("linear", "step", "step-before", "step-after", "monotone", "basis", "cardinal"),
)


def interpolated(mark: Json, chosen: Chosen) -> Json:
    """The mark with the way its line goes."""
    return mark if chosen.get("interpolate") is None else {**mark, "interpolate": chosen["interpolate"]}


_STYLED = frozenset(option.name for option in STYLE)
