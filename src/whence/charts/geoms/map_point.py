"""The geom map_point: a point on a map at its longitude and latitude."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from whence.charts.geoms.geom import STYLE, Drawing, Geom, Room, Row, styled
from whence.charts.geoms.ground import MAP_OPTIONS, Ground, ground_of, projection_of
from whence.charts.geoms.traits import GeomTraits
from whence.charts.kinds import Kind
from whence.charts.options import Chosen
from whence.charts.world.projections import Point


class MapPoint(Geom):
    """A point on a map, at longitude x and latitude y in degrees."""

    name = "map_point"
    title = "a point on a map, at longitude x and latitude y"
    traits = GeomTraits(
        needs=("x", "y"),
        needs_columns=(),
        numbers=("x", "y"),
        stat=None,
        pos="identity",
        stands_beside_at=(),
        from_zero=False,
        measures=(),
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
    options = (*(option for option in STYLE if option.name in ("color", "size", "opacity", "shape")), *MAP_OPTIONS)

    def prepare(self, rows: list[Row], room: Room, chosen: Chosen) -> list[Row]:
        """Leave out what lies nowhere on the map."""
        return [row for row in rows if projection_of(chosen).shows(row.get("x"), row.get("y"))]

    def remarks(self, rows: list[Row], chosen: Chosen) -> list[str]:
        """Say how many marks lie nowhere on the map."""
        projection = projection_of(chosen)
        lost = sum(not projection.shows(row.get("x"), row.get("y")) for row in rows)
        if not lost:
            return []
        ends = f"longitude -180 to 180, latitude {-projection.farthest:g} to {projection.farthest:g}"
        return [f"{lost:,} of {len(rows):,} marks lie outside of the map ({ends})."]

    def ground(self, rows: list[Row], chosen: Chosen) -> Ground:
        """Return a map that shows all points."""
        return ground_of(chosen, [cast(Point, (row["x"], row["y"])) for row in rows])

    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """Return a filled point, transparent enough to show where many overlap."""
        mark = {"type": "point", "filled": True, "size": 36, "opacity": 0.75, "clip": True}
        place = {name: {"field": field, "type": "quantitative"} for name, field in _DEGREES.items()}
        return [Drawing(styled(mark, chosen), ("color", "size", "shape", "opacity"), {}, fixed=place)]


_DEGREES = {"longitude": "x", "latitude": "y"}
"""The channels of Vega-Lite that hold places on a globe, and the fields they show."""
