"""The geom hexagon: a hexagon for each mark, cut to the pixels from x to x2 and from y to y2."""

from __future__ import annotations

from collections.abc import Mapping

from whence.charts.geoms.geom import GAP, STYLE, Drawing, Frame, Geom, Json, Room, Row, styled
from whence.charts.geoms.traits import GeomTraits
from whence.charts.kinds import Kind
from whence.charts.options import Chosen

_UNIT = 4
"""The size of a symbol at which a unit of its path is a pixel."""


class Hexagon(Geom):
    """A hexagon that stands on a corner."""

    name = "hexagon"
    title = "a hexagon of a honeycomb, coloured by its value"
    traits = GeomTraits(
        needs=("x", "y"),
        needs_columns=("x2", "y2"),
        numbers=(),
        stat="hexbin",
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
        fits_pixels=True,
        when_many="sample",
        companion=None,
        totals=None,
    )
    options = tuple(option for option in STYLE if option.name in ("color", "opacity"))

    def prepare(self, rows: list[Row], room: Room, chosen: Chosen) -> list[Row]:
        """Add the middle of each hexagon."""
        return [{**row, "_x_middle": _middle(row, "x"), "_y_middle": _middle(row, "y")} for row in rows]

    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """Return a symbol at the middle, whose path `cut` writes."""
        mark: Json = {"type": "point", "filled": True, "opacity": 1, "style": GAP}
        middle = {"x": "_x_middle", "y": "_y_middle"}
        return [Drawing(styled(mark, chosen), ("x", "y", "color", "opacity"), middle)]

    def cut(self, mark: Json, rows: list[Row], frame: Frame) -> Json:
        """Return the symbol with six corners. All hexagons are equal, so the first one tells the size."""
        if not rows:
            return mark
        wide = 0.5 * abs(_length(rows[0], "x")) * frame.across
        high = 0.5 * abs(_length(rows[0], "y")) * frame.up
        corners = ((0, -high), (wide, -high / 2), (wide, high / 2), (0, high), (-wide, high / 2), (-wide, -high / 2))
        path = "L".join(f"{x:.3f},{y:.3f}" for x, y in corners)
        return {**mark, "shape": f"M{path}Z", "size": _UNIT}


def _middle(row: Row, name: str) -> object:
    start, end = row.get(name), row.get(f"{name}2")
    return (start + end) / 2 if isinstance(start, int | float) and isinstance(end, int | float) else start


def _length(row: Row, name: str) -> float:
    start, end = row.get(name), row.get(f"{name}2")
    return float(end - start) if isinstance(start, int | float) and isinstance(end, int | float) else 0.0
