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
        stands_beside_at=(),
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
        series = _series(rows)
        names = sorted({row.get(series) for row in rows}, key=str) if series else [None]
        parts = {name: (place + 0.5) / len(names) - 0.5 for place, name in enumerate(names)}
        placed = []
        for row in rows:
            middle = room.slots[row.get("x")] + _TAKEN * parts[row.get(series) if series else None]
            half = _TAKEN / 2 / len(names) * cast(float, row["density"] or 0.0) / room.widest
            placed.append({**row, "_left": middle - half, "_right": middle + half})
        return placed

    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """Return the shape between its left and right edge, one shape for each category and series."""
        mark = {"type": "area", "opacity": 0.7, "orient": "horizontal"}
        edges = {"x": "_left", "x2": "_right"}
        shape = Drawing(styled(mark, chosen), ("x", "x2", "y", "color", "detail"), edges, apart=("x",))
        pick = {"type": "point", "filled": True, "opacity": 0, "size": 60}
        return [shape, Drawing(pick, ("x", "y", "color"), {"x": "_right"}, True)]


def _series(rows: list[Row]) -> str | None:
    """Return the column that distinguishes several violins in one category, or None if each has one."""
    for name in _APART:
        pairs = {(row.get("x"), row.get(name)) for row in rows}
        if len(pairs) > len({x for x, _ in pairs}):
            return name
    return None


_APART = ("color", "detail")
_TAKEN = 0.9
"""The share of a category that its violins take, which leaves a gap between neighbours."""
