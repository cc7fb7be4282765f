"""The geoms rect and cell: a rectangle for each mark, such as a bin or a square of a heat map."""

from __future__ import annotations

from collections.abc import Mapping

from whence.charts.geoms.geom import GAP, STYLE, Drawing, Geom, styled, thin_bar
from whence.charts.geoms.traits import GeomTraits
from whence.charts.kinds import Kind
from whence.charts.operator import Call
from whence.charts.options import Chosen
from whence.model.parameter import Parameter


class Rect(Geom):
    """A rectangle from x to x2 and from y to y2, or from zero if there is no y2."""

    name = "rect"
    title = "a rectangle for each mark, from x to x2 and from y to y2, or from zero"
    traits = GeomTraits(
        needs=("x|y",),
        needs_columns=(),
        numbers=(),
        stat=None,
        pos="stack",
        stands_beside_at=(),
        from_zero=True,
        measures=(),
        measures_y=False,
        is_hatched=True,
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
        """Return the rectangle, with a thin gap to its neighbours."""
        mark = thin_bar({"type": "rect", "style": GAP}, kinds)
        return [Drawing(styled(mark, chosen), ("x", "x2", "y", "y2", "color", "detail", "opacity"), {})]


class Cell(Rect):
    """A square of a heat map."""

    name = "cell"
    title = "a square of a heat map, coloured by its value"
    traits = GeomTraits(
        needs=("x", "y"),
        needs_columns=(),
        numbers=(),
        stat=None,
        pos="identity",
        stands_beside_at=(),
        from_zero=False,
        measures=(),
        measures_y=False,
        is_hatched=True,
        connects=False,
        follows_rows=False,
        hides_below=False,
        needs_every_place=False,
        stands_in_slots=False,
        fits_pixels=False,
        when_many="sample",
        companion=None,
        totals="totals",
    )
    options = (
        *STYLE,
        Parameter("totals", "flag", "whether bars beside it show totals of columns and rows", default=False),
    )

    def default_stats(self, kinds: Mapping[str, Kind], path: str, *, is_open: bool) -> tuple[Call, ...]:
        """Bin numbers and times. Count texts, or show the mean of the color column if it is a number."""
        places = {kinds[name] for name in ("x", "y") if name in kinds}
        if places != {"text"}:
            return (Call("bin2d", {}, path),)
        if kinds.get("color") == "number":
            return (Call("summary", {"fun": "mean", "of": "color"}, path),)
        return (Call("count", {}, path),)

    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """Return the square without a gap."""
        mark: dict[str, object] = {"type": "rect"}
        return [Drawing(styled(mark, chosen), ("x", "x2", "y", "y2", "color", "opacity"), {})]
