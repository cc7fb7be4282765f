"""The map below the marks of a picture: what Vega-Lite needs to draw it."""

from __future__ import annotations

from whence.charts.geoms.ground import DEFAULT, Ground
from whence.charts.picture import Picture
from whence.charts.world.outlines import OUTLINES
from whence.charts.world.projections import PROJECTIONS, WORLD, outline

Json = dict[str, object]
GROUND = "ground"
"""The Vega-Lite style of what lies below all marks."""


def projection_of(picture: Picture, size: tuple[float, float] | None) -> Json | None:
    """Return the projection of the map below the marks of a picture, or None if they lie on none.

    `size` is that of each of several panels. A single panel may be drawn in any size.
    """
    found: list[Ground] = []
    for block in picture.blocks:
        drawn = block.branch.drawn
        ground = drawn.ground(block.rows, drawn.choose(block.branch.geom))
        if ground is not None:
            found.append(ground)
    if not found:
        return None
    name = next((each.projection for each in found if each.projection), DEFAULT)
    extent = next((each.extent for each in found if each.extent), None)
    places = [] if extent == "world" else [place for each in found for place in each.places]
    return PROJECTIONS[name].fitted(places or outline(WORLD), size)


def outlines_below() -> Json:
    """Return the layer with the outlines of all countries. It is no part of what is read out."""
    return {"data": OUTLINES, "mark": {"type": "geoshape", "style": GROUND, "clip": True, "aria": False}}
