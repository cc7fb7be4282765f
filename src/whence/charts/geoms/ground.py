"""What geoms on a map share: its projection, the part of the world it shows, and the options for both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from whence.charts.errors import wrong
from whence.charts.operator import Call
from whence.charts.options import Chosen
from whence.charts.world.projections import PROJECTIONS, Point, Projection
from whence.model.parameter import Parameter

DEFAULT = next(iter(PROJECTIONS))
MAP_OPTIONS = (
    Parameter("projection", "choice", f"how the globe becomes flat (`{DEFAULT}`)", choices=tuple(PROJECTIONS)),
    Parameter("extent", "choice", "what the map shows: where its marks are, or the world", choices=("marks", "world")),
)


@dataclass(frozen=True)
class Ground:
    """The map that the marks of one layer ask for."""

    projection: str | None
    """The name of its projection. None means that the other layers decide."""
    extent: str | None
    places: tuple[Point, ...]
    """Places that must be seen, as longitude and latitude in degrees."""


def ground_of(chosen: Chosen, places: list[Point]) -> Ground:
    """Return the map that the options of a geom ask for."""
    return Ground(cast("str | None", chosen["projection"]), cast("str | None", chosen["extent"]), tuple(places))


def projection_of(chosen: Chosen) -> Projection:
    """Return the projection that the options of a geom name."""
    return PROJECTIONS[str(chosen.get("projection") or DEFAULT)]


def check_one_map(layers: Sequence[tuple[Call, Ground | None]], *, is_flipped: bool) -> None:
    """Raise an error if some layers lie on a map and others do not, or on another one."""
    on_map = [(geom, ground) for geom, ground in layers if ground is not None]
    if not on_map:
        return
    first, _ = on_map[0]
    if is_flipped:
        raise wrong("coord.flip", f"{first.name} lies on a map, which has no axes to exchange", "Leave it out.")
    for geom, ground in layers:
        if ground is None:
            what = f"{geom.name} has no place on the map of {first.name}"
            raise wrong(geom.path, what, "Draw it as a chart of its own.")
    for name in ("projection", "extent"):
        stated = {getattr(ground, name) for _, ground in on_map} - {None}
        if len(stated) > 1:
            what = f"layers lie on one map, which has no two values of {name} ({', '.join(sorted(stated))})"
            raise wrong(f"{on_map[-1][0].path}.{name}", what, "State it in one layer.")
