"""The geom violin: the density of y at each x, mirrored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from whence.charts.geoms.geom import Drawing, Geom, Room, Row, styled
from whence.charts.geoms.traits import GeomTraits
from whence.charts.kinds import Kind
from whence.charts.options import Chosen


class Violin(Geom):
    """A shape that is wide where rows are many."""

    name = "violin"
    title = "the density of y at each x, as a shape that is wide where rows are many"
    traits = GeomTraits(
        needs=("x", "y"),
        needs_columns=("density",),
        numbers=(),
        stat="density",
        pos="identity",
        stands_beside=False,
        from_zero=False,
        measures=(),
        measures_y=True,
        is_hatched=False,
        connects=True,
        follows_rows=False,
        hides_below=False,
        needs_every_place=False,
        stands_in_slots=True,
        fits_pixels=False,
        when_many="sample",
        companion=None,
        totals=None,
    )

    def prepare(self, rows: list[Row], room: Room, chosen: Chosen) -> list[Row]:
        """Add the left and right edge of each violin around the slot of its category. The widest one just fits."""
        placed = []
        for row in rows:
            # 0.45 to each side leaves a gap of a tenth between neighbours.
            middle, half = room.slots[row.get("x")], 0.45 * cast(float, row["density"] or 0.0) / room.widest
            placed.append({**row, "_left": middle - half, "_right": middle + half})
        return placed

    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """Return the shape between its left and right edge, one shape for each category and series."""
        mark = {"type": "area", "opacity": 0.7, "orient": "horizontal"}
        edges = {"x": "_left", "x2": "_right"}
        shape = Drawing(styled(mark, chosen), ("x", "x2", "y", "color", "detail"), edges, apart=("x",))
        pick = {"type": "point", "filled": True, "opacity": 0, "size": 60}
        return [shape, Drawing(pick, ("x", "y", "color"), {"x": "_right"}, True)]
