"""The density of y at each x, mirrored."""

from __future__ import annotations

from collections.abc import Mapping

from whence.charts.geoms.geom import Drawing, Geom, styled
from whence.charts.kinds import Kind
from whence.charts.option import Chosen


class Violin(Geom):
    """A shape as wide as rows are many."""

    name = "violin"
    title = "the density of y at each x, as a shape that is wide where rows are many"
    stat = "density"
    connects = True

    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """The page gives x as numbers, left and right edge of the shape; its series are the categories."""
        mark = {"type": "area", "opacity": 0.7, "orient": "horizontal"}
        shape = Drawing(
            styled(mark, chosen), ("x", "x2", "y", "color", "detail"), {"x": "_left", "x2": "_right", "detail": "x"}
        )
        pick = {"type": "point", "filled": True, "opacity": 0, "size": 60}
        return [shape, Drawing(pick, ("x", "y", "color"), {"x": "_right"}, True)]
