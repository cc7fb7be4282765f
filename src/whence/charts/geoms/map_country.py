"""The geom map_country: the outline of a country, coloured by its value (a choropleth)."""

from __future__ import annotations

from collections.abc import Mapping

from whence.charts.errors import wrong
from whence.charts.geoms.geom import GAP, STYLE, Drawing, Geom, Json, Room, Row, styled
from whence.charts.geoms.ground import MAP_OPTIONS, Ground, ground_of
from whence.charts.geoms.traits import GeomTraits
from whence.charts.kinds import Kind
from whence.charts.operator import Call
from whence.charts.options import Chosen
from whence.charts.world.countries import find_shape
from whence.charts.world.outlines import KEY, OUTLINES, boxes
from whence.charts.world.projections import outline

_NAMED = 5
"""The most values that a note names."""


class MapCountry(Geom):
    """The outline of the country that x names, by its name or ISO code."""

    name = "map_country"
    title = "a country on a map, by the name or ISO code in x, coloured by its value"
    traits = GeomTraits(
        needs=("x",),
        needs_columns=(),
        numbers=(),
        stat=None,
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
    options = (*(option for option in STYLE if option.name in ("color", "opacity")), *MAP_OPTIONS)

    def default_stats(self, kinds: Mapping[str, Kind], path: str, *, is_open: bool) -> tuple[Call, ...]:
        """Show the mean of the color column if it is a number. Count rows if there is none."""
        if "y" in kinds:
            raise wrong(path, f"{self.name} shows its measure as color, not as y", "Map the measure to color.")
        if "color" not in kinds:
            return (Call("count", {"as": "color"}, path),)
        return (Call("summary", {"fun": "mean", "of": "color"}, path),) if kinds["color"] == "number" else ()

    def prepare(self, rows: list[Row], room: Room, chosen: Chosen) -> list[Row]:
        """Add the name of the outline, and leave out what has none."""
        placed = [{**row, "_shape": find_shape(row.get("x"))} for row in rows]
        return [row for row in placed if row["_shape"] is not None]

    def remarks(self, rows: list[Row], chosen: Chosen) -> list[str]:
        """Name the values that have no outline, and the marks that lie on each other."""
        shapes = {_word(row): find_shape(row.get("x")) for row in rows}
        lost = sorted(value for value, shape in shapes.items() if shape is None)
        found = []
        if lost:
            count = sum(find_shape(row.get("x")) is None for row in rows)
            found.append(f"{count:,} of {len(rows):,} marks have no shape on the map: {_listed(lost)}.")
        drawn: dict[str, list[str]] = {}
        for row in rows:
            drawn.setdefault(shapes[_word(row)] or "", []).append(_word(row))
        hidden = {shape: values for shape, values in drawn.items() if shape and len(values) > 1}
        if hidden:
            words = [f"{shape} ({_listed(list(dict.fromkeys(values)))})" for shape, values in hidden.items()]
            found.append(f"Several marks lie on each other, and only the last is seen: {_listed(words)}.")
        return found

    def ground(self, rows: list[Row], chosen: Chosen) -> Ground:
        """Return a map that shows all outlines."""
        return ground_of(chosen, [place for row in rows for place in outline(boxes()[str(row["_shape"])])])

    def draw(self, kinds: Mapping[str, Kind], chosen: Chosen) -> list[Drawing]:
        """Return the outlines, which are looked up by name."""
        mark: Json = {"type": "geoshape", "style": GAP, "clip": True}
        found: Json = {"lookup": "_shape", "from": {"data": OUTLINES, "key": KEY}, "as": "_outline"}
        shape: Json = {"shape": {"field": "_outline", "type": "geojson"}}
        return [Drawing(styled(mark, chosen), ("color", "opacity"), {}, fixed=shape, transform=(found,))]


def _listed(words: list[str]) -> str:
    more = f" and {len(words) - _NAMED:,} more" if len(words) > _NAMED else ""
    return ", ".join(words[:_NAMED]) + more


def _word(row: Row) -> str:
    return "nothing" if row.get("x") is None else str(row["x"])
