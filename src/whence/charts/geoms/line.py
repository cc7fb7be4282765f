"""The geoms line and path: a line from mark to mark, along x or in the order of the rows."""

from __future__ import annotations

from collections.abc import Mapping

from whence.charts.geoms.geom import INTERPOLATE, STYLE, Drawing, Geom, Room, Row, interpolated, styled
from whence.charts.geoms.traits import GeomTraits
from whence.charts.kinds import Kind
from whence.charts.options import Chosen


class Line(Geom):
    """A line for each series, from left to right."""

    name = "line"
    title = "a line for each series, from left to right"
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
        is_hatched=False,
        connects=True,
        follows_rows=False,
        hides_below=False,
        needs_every_place=False,
        stands_in_slots=False,
        fits_pixels=False,
        when_many="columns",
        companion=None,
        totals=None,
    )
    options = (*STYLE, INTERPOLATE)

    def prepare(self, rows: list[Row], room: Room, chosen: Chosen) -> list[Row]:
        """Add which marks have no neighbour with a value, so that no line leads to them."""
        return self.selected(rows)

    def selected(self, rows: list[Row]) -> list[Row]:
        """Add the same about the marks that are left: a line goes from one to the next of them."""
        series: dict[tuple[object, ...], list[Row]] = {}
        for row in rows:
            series.setdefault(tuple(row.get(name) for name in _APART), []).append(row)
        for members in series.values():
            there = [False, *(row.get("y") is not None for row in members), False]
            for place, row in enumerate(members, start=1):
                row["_alone"] = there[place] and not there[place - 1] and not there[place + 1]
        return rows

    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """Return the line, and points: Vega draws a line as one item, so that only points can be picked.

        They are seen where a mark stands alone, since a line of one mark cannot be seen.
        """
        mark = {"type": "line", "strokeWidth": 2, "strokeJoin": "round"}
        line = Drawing(
            interpolated(styled(mark, chosen), chosen), ("x", "y", "color", "detail", "opacity", "order"), {}
        )
        return [
            line,
            Drawing(
                styled({"type": "point", "filled": True, "size": 60}, {"color": chosen.get("color")}),
                ("x", "y", "color"),
                {},
                True,
                fixed={"opacity": {"condition": {"test": "datum._alone", "value": 1}, "value": 0}},
            ),
        ]


class Path(Line):
    """A line through the marks in the order of the rows."""

    name = "path"
    title = "a line through the marks in the order of the rows"
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
        is_hatched=False,
        connects=True,
        follows_rows=True,
        hides_below=False,
        needs_every_place=False,
        stands_in_slots=False,
        fits_pixels=False,
        when_many="sample",
        companion=None,
        totals=None,
    )


_APART = ("color", "detail")
"""The aesthetics that tell lines apart."""
