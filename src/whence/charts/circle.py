"""The channels of Vega-Lite for marks that know their own places, such as those around the centre of a panel."""

from __future__ import annotations

from typing import cast

from whence.charts.geoms.geom import Drawing
from whence.charts.geoms.round import OUTSIDE

Json = dict[str, object]
_FIELDS = {"x": "_across", "y": "_up"}
"""The fields that count radii from the centre."""


def placed_channels(drawing: Drawing, size: tuple[int, int], *, is_panel: bool) -> Json:
    """Return the channels whose places the geom has computed, in a picture or panel of so many pixels."""
    made: Json = {**drawing.fixed, **(_around_centre(size, is_panel=is_panel) if drawing.is_around else {})}
    if "radius" in made and is_panel:
        # Vega-Lite measures the radius of a single panel only.
        radius = cast(Json, made["radius"])
        made["radius"] = {**radius, "scale": {**cast(Json, radius["scale"]), "range": [0, min(size) / 2]}}
    return made


def _around_centre(size: tuple[int, int], *, is_panel: bool) -> Json:
    """Return the channels of places in radii from the centre, which are as long across as they are up."""
    made: Json = {}
    for (axis, field), pixels, signal in zip(_FIELDS.items(), size, ("width", "height"), strict=True):
        far = OUTSIDE * pixels / min(size)
        end = f"{OUTSIDE} * {signal} / min(width, height)"
        # A page may draw a single picture in another size. A panel of a facet knows no name for its own.
        domain: object = [-far, far] if is_panel else {"expr": f"[-{end}, {end}]"}
        scale: Json = {"domain": domain, "nice": False, "zero": False}
        made[axis] = {"field": field, "type": "quantitative", "scale": scale, "axis": None, "stack": None}
    return made
