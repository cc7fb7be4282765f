"""The geoms rose and radial_bar: bars around a centre, outwards or along rings."""

from __future__ import annotations

from collections.abc import Mapping

from whence.charts.geoms.geom import Drawing, Geom, Room, Row
from whence.charts.geoms.round import (
    BESIDE,
    FULL,
    OUTWARDS,
    ROUND_STYLE,
    Part,
    added_up,
    hole,
    inner_share,
    labels,
    named,
    parts,
    radius,
    round_traits,
    share,
    slices,
)
from whence.charts.kinds import Kind
from whence.charts.operator import Call
from whence.charts.options import Chosen

_TURN = 0.75
"""The share of the circle that the longest radial bar takes. The rest has the labels."""
_MOST_NAMES = 18
"""The most names around a circle in the usual size."""
_MOST_RINGS = 8
"""The most names above each other from the outermost ring to the innermost."""
_BAR = 0.8
"""The share of a ring that its bar covers."""


class Rose(Geom):
    """A sector for each x, all of one angle, whose area shows y."""

    name = "rose"
    title = "a sector of a circle for each x, whose area shows y"
    traits = round_traits("x", "y")
    options = (*ROUND_STYLE, hole(0.0))

    def default_stats(self, kinds: Mapping[str, Kind], path: str, *, is_open: bool) -> tuple[Call, ...]:
        """Add up the measure, or count rows."""
        return added_up(_measure(kinds), path)

    def prepare(self, rows: list[Row], room: Room, chosen: Chosen) -> list[Row]:
        """Add angles and radii. Marks at the same x lie on each other."""
        found, inner = parts(rows, room, self.name, "x"), inner_share(chosen)
        places, most = _places(found), _most(found)
        placed, unnamed = [], named(places, _MOST_NAMES, is_circle=True)
        for part in found:
            x = part.row.get("x")
            angle = FULL / len(places)
            start = places[x] * angle
            placed.append(
                {
                    **part.row,
                    "_from": start,
                    "_to": start + angle,
                    "_at": start + angle / 2,
                    "_reach": radius(share(part.before + part.value, most), inner),
                    "_hole": radius(share(part.before, most), inner),
                    "_label": x if x in unnamed else None,
                    "_label_radius": BESIDE,
                }
            )
            unnamed.discard(x)
        return placed

    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """Return the sectors, and beside them the names of x."""
        return [slices(chosen), labels(kinds.get("x", "text"), OUTWARDS)]


class RadialBar(Geom):
    """A ring for each x, along which a bar shows y."""

    name = "radial_bar"
    title = "a ring for each x, along which a bar shows y"
    traits = round_traits("x", "y")
    options = (*ROUND_STYLE, hole(0.2))

    def default_stats(self, kinds: Mapping[str, Kind], path: str, *, is_open: bool) -> tuple[Call, ...]:
        """Add up the measure, or count rows."""
        return added_up(_measure(kinds), path)

    def prepare(self, rows: list[Row], room: Room, chosen: Chosen) -> list[Row]:
        """Add angles and radii, the first x in the outermost ring. Marks at the same x follow each other."""
        found, inner = parts(rows, room, self.name, "x"), inner_share(chosen)
        places, most = _places(found), _most(found)
        wide = (1 - inner) / max(1, len(places))
        placed, unnamed = [], named(places, _MOST_RINGS, is_circle=False)
        for part in found:
            x = part.row.get("x")
            outer = 1 - places[x] * wide
            placed.append(
                {
                    **part.row,
                    "_from": share(part.before, most) * FULL * _TURN,
                    "_to": share(part.before + part.value, most) * FULL * _TURN,
                    "_at": 0.0,
                    "_reach": outer,
                    "_hole": outer - wide * _BAR,
                    "_label": x if x in unnamed else None,
                    "_label_radius": outer - wide * _BAR / 2,
                }
            )
            unnamed.discard(x)
        return placed

    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """Return the bars, and where they begin the names of x."""
        return [slices(chosen), labels(kinds.get("x", "text"), {"align": "right", "dx": -6})]


def _measure(kinds: Mapping[str, Kind]) -> Kind | None:
    return "number" if "x" in kinds and "y" in kinds and "number" in (kinds["x"], kinds["y"]) else None


def _places(found: list[Part]) -> dict[object, int]:
    """Return the number of each x, in the order of the marks."""
    return {x: place for place, x in enumerate(dict.fromkeys(part.row.get("x") for part in found))}


def _most(found: list[Part]) -> float:
    """Return the greatest value at one x over all rows, which sets the scale."""
    return max((part.before + part.original for part in found), default=0.0)
