"""The geom area: the area under a series."""

from __future__ import annotations

from collections.abc import Mapping

from whence.charts.geoms.geom import INTERPOLATE, STYLE, Drawing, Geom, interpolated, styled
from whence.charts.geoms.traits import GeomTraits
from whence.charts.kinds import Kind
from whence.charts.options import Chosen


class Area(Geom):
    """An area from zero, or from the top of the series below."""

    name = "area"
    title = "the area under a series"
    traits = GeomTraits(
        needs=("x", "y"),
        needs_columns=(),
        numbers=(),
        stat=None,
        pos="stack",
        stands_beside_at=(),
        from_zero=True,
        measures=(),
        measures_y=False,
        is_hatched=False,
        connects=True,
        follows_rows=False,
        hides_below=True,
        needs_every_place=True,
        stands_in_slots=False,
        fits_pixels=False,
        when_many="columns",
        companion=None,
        totals=None,
    )
    options = (*STYLE, INTERPOLATE)

    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """Return the area, and invisible points on its edge to be pointed at."""
        mark = {"type": "area", "opacity": 0.8, "line": False}
        area = Drawing(interpolated(styled(mark, chosen), chosen), ("x", "y", "y2", "color", "detail", "opacity"), {})
        return [
            area,
            Drawing({"type": "point", "filled": True, "opacity": 0, "size": 60}, ("x", "y", "color"), {}, True),
        ]
