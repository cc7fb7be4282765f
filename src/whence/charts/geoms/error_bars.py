"""The geoms errorbar and errorband: how certain a value is, as a bar through it or a band along a series."""

from __future__ import annotations

from collections.abc import Mapping

from whence.charts.geoms.geom import ACROSS, Drawing, Geom, styled
from whence.charts.geoms.traits import GeomTraits
from whence.charts.kinds import Kind
from whence.charts.options import Chosen
from whence.charts.theme import BLUE


class ErrorBar(Geom):
    """A bar from lower to upper, with the middle as a point."""

    name = "errorbar"
    title = "a bar from lower to upper at each x, with the middle as a point"
    traits = GeomTraits(
        needs=("y",),
        needs_columns=(),
        numbers=(),
        stat="interval",
        pos="identity",
        stands_beside_at=("text",),
        from_zero=False,
        measures=("lower", "upper"),
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
        """Return a rule with a tick at each end, and the middle as a point."""
        ends = {**ACROSS, "size": 8, "thickness": 1.5}
        return [
            Drawing(
                styled({"type": "rule", "strokeWidth": 1.5, "color": BLUE}, chosen),
                ("x", "y", "y2", "color"),
                _LOW_HIGH,
            ),
            Drawing(styled(ends, chosen), ("x", "y", "color"), {"y": "lower"}),
            Drawing(styled(ends, chosen), ("x", "y", "color"), {"y": "upper"}),
            Drawing(
                styled({"type": "point", "filled": True, "size": 40, "opacity": 1}, chosen), ("x", "y", "color"), {}
            ),
        ]


class ErrorBand(Geom):
    """A band from lower to upper along x, with the middle as a line."""

    name = "errorband"
    title = "a band from lower to upper along x, with the middle as a line"
    traits = GeomTraits(
        needs=("x", "y"),
        needs_columns=(),
        numbers=(),
        stat="interval",
        pos="identity",
        stands_beside_at=(),
        from_zero=False,
        measures=("lower", "upper"),
        measures_y=False,
        is_hatched=False,
        connects=True,
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
        """Return the band, the line, and invisible points to be pointed at."""
        band = {"type": "area", "opacity": 0.25}
        return [
            Drawing(styled(band, {**chosen, "opacity": None}), ("x", "y", "y2", "color", "detail"), _LOW_HIGH),
            Drawing(styled({"type": "line", "strokeWidth": 2}, chosen), ("x", "y", "color", "detail"), {}),
            Drawing({"type": "point", "filled": True, "opacity": 0, "size": 60}, ("x", "y", "color"), {}, True),
        ]


_LOW_HIGH = {"y": "lower", "y2": "upper"}
