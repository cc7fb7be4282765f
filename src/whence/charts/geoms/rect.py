"""A rectangle for each mark: bins, squares of a heat map, stretches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from whence.charts.geoms.geom import Drawing, Geom, styled, thin_bar
from whence.charts.kinds import Kind
from whence.charts.option import Chosen


class Rect(Geom):
    """From x to x2 and from y to y2; from zero where there is no y2."""

    name = "rect"
    title = "a rectangle for each mark, from x to x2 and from y to y2, or from zero"
    needs: ClassVar[tuple[str, ...]] = ("x|y",)
    pos = "stack"
    from_zero = True
    is_hatched = True

    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """A thin gap keeps neighbours apart."""
        mark = thin_bar({"type": "rect", "stroke": "white", "strokeWidth": 0.5}, kinds)
        return [Drawing(styled(mark, chosen), ("x", "x2", "y", "y2", "color", "detail", "opacity"), {})]


class Cell(Rect):
    """A square of a heat map."""

    name = "cell"
    title = "a square of a heat map, coloured by its value"
    needs = ("x", "y")
    pos = "identity"
    from_zero = False

    def default_stat(self, kinds: Mapping[str, Kind]) -> str:
        """Numbers and times are binned; what is told apart is counted, or summarised by color."""
        if "number" in (kinds.get("x"), kinds.get("y")) and "color" not in kinds:
            return "bin2d"
        if kinds.get("x") == kinds.get("y") == "number":
            return "bin2d"
        return "mean" if kinds.get("color") == "number" else "count"

    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """The whole square."""
        mark: dict[str, object] = {"type": "rect"}
        return [Drawing(styled(mark, chosen), ("x", "x2", "y", "y2", "color", "opacity"), {})]
