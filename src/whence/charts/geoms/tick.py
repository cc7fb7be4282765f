"""The geoms tick and rule: short lines for each mark, and lines across the panel or between two places."""

from __future__ import annotations

from collections.abc import Mapping

from whence.charts.geoms.geom import ACROSS, Drawing, Geom, styled
from whence.charts.geoms.traits import GeomTraits
from whence.charts.kinds import Kind
from whence.charts.options import Chosen


class Tick(Geom):
    """A short line, for strip plots."""

    name = "tick"
    title = "a short line for each mark: strip plots"
    traits = GeomTraits(
        needs=("x|y",),
        needs_columns=(),
        numbers=(),
        stat=None,
        pos="identity",
        stands_beside_at=(),
        from_zero=False,
        measures=(),
        measures_y=True,
        is_hatched=False,
        connects=False,
        follows_rows=False,
        hides_below=False,
        needs_every_place=False,
        stands_in_slots=False,
        fits_pixels=False,
        when_many="sample",
        companion=None,
        totals=None,
    )

    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """Return a thin, transparent tick across the axis of the measure."""
        is_across = kinds.get("y") in ("number", "time")
        orient = ACROSS if is_across else {**ACROSS, "orient": "vertical"}
        mark = {**orient, "thickness": 1.5, "opacity": 0.7}
        return [Drawing(styled(mark, chosen), ("x", "y", "color", "opacity"), {})]


class Rule(Geom):
    """A straight line across the panel, or from x, y to x2, y2."""

    name = "rule"
    title = "a straight line across the panel, or from x, y to x2, y2"
    traits = GeomTraits(
        needs=("x|y",),
        needs_columns=(),
        numbers=(),
        stat=None,
        pos="identity",
        stands_beside_at=(),
        from_zero=False,
        measures=(),
        measures_y=True,
        is_hatched=False,
        connects=False,
        follows_rows=False,
        hides_below=False,
        needs_every_place=False,
        stands_in_slots=False,
        fits_pixels=False,
        when_many="sample",
        companion=None,
        totals=None,
    )

    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """Return a rule."""
        mark = {"type": "rule", "strokeWidth": 1.5}
        return [Drawing(styled(mark, chosen), ("x", "x2", "y", "y2", "color", "opacity"), {})]
