"""The geom box: a box plot."""

from __future__ import annotations

from collections.abc import Mapping

from whence.charts.geoms.geom import ACROSS, STYLE, Drawing, Geom, Json, Room, Row, styled
from whence.charts.geoms.traits import Companion, GeomTraits
from whence.charts.kinds import Kind
from whence.charts.options import Chosen
from whence.model.parameter import Parameter


class Box(Geom):
    """Whiskers, a box and the median. The rows beyond are a layer of points of their own."""

    name = "box"
    title = "whiskers, quartiles and the median of y at each x, and the rows beyond"
    traits = GeomTraits(
        needs=("y",),
        needs_columns=(),
        numbers=(),
        stat="box",
        pos="identity",
        stands_beside_at=("text", "number", "time"),
        from_zero=False,
        measures=("lower", "q1", "q3", "upper"),
        measures_y=True,
        is_hatched=True,
        connects=False,
        follows_rows=False,
        hides_below=False,
        needs_every_place=False,
        stands_in_slots=False,
        fits_pixels=False,
        when_many="sample",
        companion=Companion(
            stat="outliers",
            geom="point",
            option="outliers",
            style=("color", "opacity"),
            keys=("text", "number", "time"),
        ),
        totals=None,
    )
    options = (*STYLE, Parameter("outliers", "flag", "whether the rows beyond the whiskers are shown", default=True))

    def prepare(self, rows: list[Row], room: Room, chosen: Chosen) -> list[Row]:
        """Add the field of the white median line, which is empty if the box is no more than a line."""
        # A white line on a box without height would be white on white.
        return [{**row, "_median": None if row.get("q1") == row.get("q3") else row.get("y")} for row in rows]

    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """Return whiskers, box and median as one mark. The median is white where there is a box under it."""
        place = ("x", "color", "opacity")
        # Boxes over names take half of their place. Those over numbers have no place of their own.
        wide: Json = (
            {"width": {"band": 0.5}} if kinds.get("x") == "text" and chosen.get("size") is None else {"size": 18}
        )
        return [
            Drawing({"type": "rule", "strokeWidth": 1.2}, (*place, "y", "y2"), {"y": "lower", "y2": "upper"}),
            Drawing(styled({"type": "bar", **wide}, chosen), (*place, "y", "y2"), {"y": "q1", "y2": "q3"}),
            Drawing(styled({**ACROSS, **wide, "thickness": 2}, chosen), (*place, "y"), {}),
            Drawing({**ACROSS, "color": "white", **wide, "thickness": 2}, ("x", "y"), {"y": "_median"}),
        ]
