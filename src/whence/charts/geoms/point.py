"""The geom point: a point for each mark."""

from __future__ import annotations

from collections.abc import Mapping

from whence.charts.geoms.geom import Drawing, Geom, styled
from whence.charts.geoms.traits import GeomTraits
from whence.charts.kinds import Kind
from whence.charts.options import Chosen


class Point(Geom):
    """A point, for scatter and dot plots."""

    name = "point"
    title = "a point for each mark: scatter and dot plots"
    traits = GeomTraits(
        needs=("x|y",),
        needs_columns=(),
        numbers=(),
        stat=None,
        pos="identity",
        stands_beside_at=(),
        from_zero=False,
        measures=(),
        measures_y=False,
        is_hatched=False,
        connects=False,
        follows_rows=False,
        hides_below=False,
        needs_every_place=False,
        stands_in_slots=False,
        fits_pixels=False,
        when_many="squares",
        companion=None,
        totals=None,
    )

    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """Return a filled point, transparent enough to show where many overlap."""
        mark = {"type": "point", "filled": True, "size": 36, "opacity": 0.75}
        return [Drawing(styled(mark, chosen), ("x", "y", "color", "size", "shape", "opacity"), {})]
