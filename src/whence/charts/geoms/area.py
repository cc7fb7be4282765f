"""The area under a series."""

from __future__ import annotations

from collections.abc import Mapping

from whence.charts.geoms.geom import INTERPOLATE, STYLE, Drawing, Geom, interpolated, styled
from whence.charts.kinds import Kind
from whence.charts.option import Chosen


class Area(Geom):
    """From zero, or from what lies below."""

    name = "area"
    title = "the area under a series"
    pos = "stack"
    from_zero = True
    connects = True
    options = (*STYLE, INTERPOLATE)

    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """With unseen points on its edge, to be pointed at."""
        mark = {"type": "area", "opacity": 0.8, "line": False}
        area = Drawing(interpolated(styled(mark, chosen), chosen), ("x", "y", "y2", "color", "detail", "opacity"), {})
        return [
            area,
            Drawing({"type": "point", "filled": True, "opacity": 0, "size": 60}, ("x", "y", "color"), {}, True),
        ]
