"""A box plot."""

from __future__ import annotations

from collections.abc import Mapping

from whence.charts.geoms.geom import STYLE, Drawing, Geom, styled
from whence.charts.kinds import Kind
from whence.charts.option import Chosen, Option


class Box(Geom):
    """Whiskers, a box and the median; the rows beyond are a layer of points."""

    name = "box"
    title = "whiskers, quartiles and the median of y at each x, and the rows beyond"
    needs = ("y",)
    stat = "box"
    fields = ("lower", "q1", "q3", "upper")
    is_hatched = True
    options = (*STYLE, Option("outliers", "flag", "whether the rows beyond the whiskers are shown", default=True))

    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """Whiskers, box and median, one mark; the median is white where there is a box under it."""
        place = ("x", "color", "opacity")
        return [
            Drawing({"type": "rule", "strokeWidth": 1.2}, (*place, "y", "y2"), {"y": "lower", "y2": "upper"}),
            Drawing(styled({"type": "bar", "size": 18}, chosen), (*place, "y", "y2"), {"y": "q1", "y2": "q3"}),
            Drawing(styled({"type": "tick", "size": 18, "thickness": 2}, chosen), (*place, "y"), {}),
            Drawing({"type": "tick", "color": "white", "size": 18, "thickness": 2}, ("x", "y"), {"y": "_median"}),
        ]
