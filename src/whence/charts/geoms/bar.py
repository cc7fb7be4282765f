"""A bar for each mark, from zero."""

from __future__ import annotations

from collections.abc import Mapping

from whence.charts.geoms.geom import Drawing, Geom, styled, thin_bar
from whence.charts.kinds import Kind
from whence.charts.option import Chosen


class Bar(Geom):
    """Lengths to compare; stacked where several stand at one place."""

    name = "bar"
    title = "a bar for each mark, from zero"
    needs = ("x|y",)
    pos = "stack"
    from_zero = True
    is_hatched = True

    def default_stat(self, kinds: Mapping[str, Kind]) -> str:
        """Rows are counted where there is nothing to measure."""
        if "x" in kinds and "y" in kinds:
            return "identity" if "number" in (kinds["x"], kinds["y"]) else "count"
        return "bin" if kinds.get("x") in ("number", "time") else "count"

    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """From y to y2, and from x to x2 where bins have two edges."""
        mark: dict[str, object] = {"type": "bar"}
        if "x2" in kinds or kinds.get("x") in ("number", "time"):
            mark |= thin_bar({"binSpacing": 0, "stroke": "white", "strokeWidth": 0.5}, kinds)
        return [Drawing(styled(mark, chosen), ("x", "x2", "y", "y2", "color", "detail", "opacity"), {})]


class Histogram(Bar):
    """Bars over bins."""

    name = "histogram"
    title = "bars over stretches of x"
    stat = "bin"

    def default_stat(self, kinds: Mapping[str, Kind]) -> str:
        """Always bins."""
        return "bin"
