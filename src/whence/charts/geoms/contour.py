"""The geom contour: the lines of equal height, and the areas between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from whence.charts.geoms.geom import GAP, STYLE, Drawing, Geom, Json, Room, Row, styled
from whence.charts.geoms.traits import GeomTraits
from whence.charts.isolines import Ring
from whence.charts.kinds import Kind
from whence.charts.options import Chosen
from whence.model.parameter import Parameter


class Contour(Geom):
    """The band between a line of equal height and the next higher one."""

    name = "contour"
    title = "lines of equal height, and the areas between them"
    traits = GeomTraits(
        needs=("x", "y"),
        needs_columns=("x2", "y2", "size"),
        numbers=(),
        stat="contour",
        pos="identity",
        stands_beside_at=(),
        from_zero=False,
        measures=(),
        measures_y=True,
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
    options = (
        *(option for option in STYLE if option.name in ("color", "opacity", "width")),
        Parameter("filled", "flag", "whether the areas between lines are filled", default=True),
    )

    def prepare(self, rows: list[Row], room: Room, chosen: Chosen) -> list[Row]:
        """Return the corners of the lines, which are closed, and a gap after each line.

        The area of a mark ends at the next higher line, so that it is where its rows are.
        """
        higher: dict[tuple[object, ...], list[Ring]] = {}
        found: list[list[Row]] = []
        for row in reversed(rows):
            key, rings = tuple(row.get(name) for name in room.outlines.keys), room.outlines.of(row)
            holes = [ring[::-1] for ring in higher.get(key, [])] if chosen["filled"] else []
            # A selection leaves out what none of its rows lies in.
            if row.get("size") != 0:
                found.append([corner for ring in (*rings, *holes) for corner in _corners(row, ring)])
            higher[key] = rings
        return [corner for corners in reversed(found) for corner in corners]

    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """Return one shape for each mark, lowest first."""
        mark: Json = {"type": "line", "interpolate": "linear-closed", "opacity": 1}
        is_filled = chosen.get("filled", True)
        mark |= {"filled": True, "style": GAP} if is_filled else {"filled": False, "strokeWidth": 1.5}
        # Without an order, Vega-Lite would sort the corners by x.
        order: Json = {"field": "_mark", "type": "quantitative"}
        apart: Json = {"detail": {"field": "_mark", "type": "nominal"}, "order": order}
        return [Drawing(styled(mark, chosen), ("x", "y", "color", "opacity"), {}, fixed=apart)]


def _corners(row: Row, ring: Ring) -> Iterator[Row]:
    for x, y in (*ring, (None, None)):
        yield {**row, "x": x, "y": y, "_x": row.get("x"), "_closed": True}
