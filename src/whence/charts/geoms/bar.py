"""The geoms bar and histogram: a bar for each mark, from zero."""

from __future__ import annotations

from collections.abc import Mapping

from whence.charts.geoms.geom import GAP, Drawing, Geom, styled, thin_bar
from whence.charts.geoms.traits import GeomTraits
from whence.charts.kinds import Kind
from whence.charts.operator import Call
from whence.charts.options import Chosen


class Bar(Geom):
    """A bar whose length shows the value. Bars at one place are stacked."""

    name = "bar"
    title = "a bar for each mark, from zero"
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

    def default_stats(self, kinds: Mapping[str, Kind], path: str, *, is_open: bool) -> tuple[Call, ...]:
        """Count rows if there is nothing to measure. If the chart names no geom either, show means."""
        if "x" in kinds and "y" in kinds:
            if "number" not in (kinds["x"], kinds["y"]):
                return (Call("count", {}, path),)
            return (Call("summary", {"fun": "mean"}, path),) if is_open else ()
        return (Call("bin" if kinds.get("x") in ("number", "time") else "count", {}, path),)

    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """Return a bar from y to y2, and from x to x2 if bins have two edges."""
        mark: dict[str, object] = {"type": "bar"}
        if "x2" in kinds or kinds.get("x") in ("number", "time"):
            mark |= thin_bar({"binSpacing": 0, "style": GAP}, kinds)
        return [Drawing(styled(mark, chosen), ("x", "x2", "y", "y2", "color", "detail", "opacity"), {})]


class Histogram(Bar):
    """Bars over bins."""

    name = "histogram"
    title = "bars over stretches of x"
    traits = GeomTraits(
        needs=("x|y",),
        needs_columns=(),
        numbers=(),
        stat="bin",
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

    def default_stats(self, kinds: Mapping[str, Kind], path: str, *, is_open: bool) -> tuple[Call, ...]:
        """Bin the rows, whatever the columns are."""
        return (Call("bin", {}, path),)
