"""A diamond for each mark."""

from __future__ import annotations

from collections.abc import Mapping

from whence.charts.geoms.geom import Drawing, Geom, styled
from whence.charts.geoms.traits import GeomTraits
from whence.charts.kinds import Kind
from whence.charts.options import Chosen


class Diamond(Geom):
    """A scatter plot of diamonds."""

    name = "diamond"
    title = "a diamond for each mark"
    traits = GeomTraits(
        needs=("x|y",),
        needs_columns=(),
        numbers=(),
        stat=None,
        pos="identity",
        stands_beside_at=(),
        from_zero=False,
        fits_pixels=False,
        measures=(),
        measures_y=False,
        is_hatched=False,
        connects=False,
        follows_rows=False,
        hides_below=False,
        needs_every_place=False,
        stands_in_slots=False,
        when_many="squares",
        companion=None,
        totals=None,
    )

    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """Filled, and larger than a point."""
        mark = {"type": "point", "shape": "diamond", "filled": True, "size": 64}
        return [Drawing(styled(mark, chosen), ("x", "y", "color", "size", "opacity"), {})]
