"""The geoms line and path: a line from mark to mark, along x or in the order of the rows."""

from __future__ import annotations

from collections.abc import Mapping

from whence.charts.geoms.geom import INTERPOLATE, STYLE, Drawing, Geom, interpolated, styled
from whence.charts.geoms.traits import GeomTraits
from whence.charts.kinds import Kind
from whence.charts.options import Chosen


class Line(Geom):
    """A line for each series, from left to right."""

    name = "line"
    title = "a line for each series, from left to right"
    traits = GeomTraits(
        needs=("x", "y"),
        needs_columns=(),
        stat=None,
        pos="identity",
        stands_beside=False,
        from_zero=False,
        measures=(),
        measures_y=False,
        is_hatched=False,
        connects=True,
        follows_rows=False,
        hides_below=False,
        needs_every_place=False,
        stands_in_slots=False,
        when_many="columns",
        companion=None,
    )
    options = (*STYLE, INTERPOLATE)

    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """Return the line, and invisible points: Vega draws a line as one item, so points let each mark be picked."""
        mark = {"type": "line", "strokeWidth": 2, "strokeJoin": "round"}
        line = Drawing(
            interpolated(styled(mark, chosen), chosen), ("x", "y", "color", "detail", "opacity", "order"), {}
        )
        return [
            line,
            Drawing({"type": "point", "filled": True, "opacity": 0, "size": 60}, ("x", "y", "color"), {}, True),
        ]


class Path(Line):
    """A line through the marks in the order of the rows."""

    name = "path"
    title = "a line through the marks in the order of the rows"
    traits = GeomTraits(
        needs=("x", "y"),
        needs_columns=(),
        stat=None,
        pos="identity",
        stands_beside=False,
        from_zero=False,
        measures=(),
        measures_y=False,
        is_hatched=False,
        connects=True,
        follows_rows=True,
        hides_below=False,
        needs_every_place=False,
        stands_in_slots=False,
        when_many="sample",
        companion=None,
    )
