"""What is drawn over marks in doubt: stripes or rings, and the interval in which their value lies."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, cast

from whence.charts.domains import Domains, slot_axis
from whence.charts.drawing_layer import draw_layer, lies_turned, panel_size, tooltip
from whence.charts.encode import Json
from whence.charts.geoms.geom import Drawing
from whence.charts.page import Page
from whence.charts.picture import Block
from whence.charts.positions.position import Row, number
from whence.charts.spec import POSITIONS
from whence.charts.theme import DOUBT_FILL, DOUBT_LINE, stripes

_SURFACES = ("bar", "rect", "arc", "point", "geoshape", "line")
"""The marks of Vega-Lite with an area on which stripes show, if the geom says that it is hatched."""
_PLACES = ("x", "y", "longitude", "latitude")
"""The channels of Vega-Lite that say where a point stands."""
UPRIGHT = ("bar", "point", "line", "area", "tick")
"""The marks of Vega-Lite that show a value by where they end, so that an interval can stand there."""
_RINGED = 30
"""The most marks of a line that get a ring for doubt. More rings would hide the line."""
_ENDS: list[Json] = [
    {"field": field, "type": "quantitative", "title": title}
    for field, title in (("_low", "at least"), ("_high", "at most"))
]
"""The fields of a tooltip with the ends of an interval."""
_NARROW = 24.0
"""The pixels below which slanted stripes on a bar run together."""


def doubt_layer(page: Page, block: Block, drawings: list[Drawing], domains: Domains, data: str) -> Json:
    """Return the drawing over doubtful marks: stripes where a mark has an area, a dashed ring where it has none."""
    drawing = next((each for each in drawings if each.mark["type"] in _SURFACES), None)
    is_area = block.branch.drawn.traits.is_hatched and drawing is not None
    if drawing is None or not is_area:
        is_word = drawings[-1].mark["type"] == "text"
        drawing = _coloured_word(drawings[-1]) if is_word else _ring(block, drawings[-1])
    else:
        mark = hatched(drawing.mark)
        if drawing.mark.get("filled", True):
            is_bar, is_turned = drawing.mark["type"] == "bar", lies_turned(page, block.branch)
            key = slot_axis(block.branch)
            mark["fill"] = stripes(stripe_axis(page, block, domains, key, is_turned=is_turned) if is_bar else "both")
        kept = tuple(name for name in drawing.channels if name in POSITIONS)
        drawing = Drawing(mark, kept, drawing.fields, fixed=drawing.fixed, transform=drawing.transform)
    made = draw_layer(page, block, drawing, domains, data)
    encoding: Json = made["encoding"]  # type: ignore[assignment]
    ends = _ENDS if any("_from" in row for row in block.rows) else []
    encoding["tooltip"] = [*tooltip(page, block), *ends, {"field": "_why", "type": "nominal", "title": "in doubt"}]
    return made


def hatched(mark: Json) -> Json:
    """Return a mark with a dashed edge in the colour of doubt."""
    plain = {name: value for name, value in mark.items() if name not in ("color", "stroke")}
    return {**plain, "style": DOUBT_LINE, "strokeWidth": 1, "strokeDash": [3, 2]}


def stripe_axis(page: Page, block: Block, domains: Domains, key: str, *, is_turned: bool) -> Literal["x", "y", "both"]:
    """Return along which axis the stripes of bars follow each other: along the length of narrow ones, or slanted."""
    bars = len({(row.get(key), row.get("_dodge")) for row in block.rows})
    width, height = (float(str(size)) for size in panel_size(page, domains))
    if (height if is_turned else width) >= _NARROW * bars:
        return "both"
    return "x" if is_turned else "y"


def _coloured_word(drawing: Drawing) -> Drawing:
    """Return the drawing of a word in the colour of doubt. A ring would make it unreadable."""
    mark: Json = {**drawing.mark, "style": DOUBT_FILL, "fontWeight": "bold"}
    mark.pop("color", None)
    kept = tuple(name for name in drawing.channels if name not in ("color", "opacity"))
    return replace(drawing, mark=mark, channels=kept)


def _ring(block: Block, drawing: Drawing) -> Drawing:
    """Return a dashed ring where a drawing stands, or a dot if a line has many places in doubt."""
    ring: Json = {"type": "point", "filled": False, "size": 90, "style": DOUBT_LINE, "strokeDash": [2, 2], "opacity": 1}
    doubtful = sum(bool(row.get("_doubt")) for row in block.rows)
    if block.branch.drawn.traits.connects and doubtful > _RINGED:
        ring = {"type": "point", "filled": True, "size": 9, "style": DOUBT_FILL, "opacity": 0.8}
    fields = {name: drawing.fields[name] for name in ("x", "y") if name in drawing.fields}
    fixed = {name: drawing.fixed[name] for name in _PLACES if name in drawing.fixed}
    is_placed = bool(fixed) or drawing.is_around
    return Drawing(ring, () if is_placed else ("x", "y"), fields, fixed=fixed, is_around=drawing.is_around)


def with_middle(block: Block, row: Row) -> Row:
    """Return the row with the middle of its bar, for a mark between two edges."""
    key = slot_axis(block.branch)
    ends = (row.get(key), row.get(f"{key}2"))
    if key in block.branch.listed or not all(isinstance(end, int | float) for end in ends):
        return row
    return {**row, "_middle": sum(map(number, ends)) / 2}


def interval_layer(page: Page, block: Block, drawing: Drawing, domains: Domains, data: str) -> Json:
    """Return a line over each mark from the least to the greatest value that it can have."""
    rule: Json = {"type": "rule", "style": DOUBT_LINE, "strokeWidth": 2}
    fields = {name: drawing.fields[name] for name in ("x", "y") if name in drawing.fields}
    made = draw_layer(page, block, Drawing(rule, ("x", "y"), fields), domains, data)
    encoding = cast("dict[str, Json]", made["encoding"])
    measured, key = ("x", "y") if lies_turned(page, block.branch) else ("y", "x")
    encoding[measured] = {**encoding[measured], "field": "_from"}
    encoding[f"{measured}2"] = {"field": "_to"}
    if key in encoding and "_middle" in with_middle(block, block.rows[0]):
        encoding[key] = {**encoding[key], "field": "_middle"}
    made["encoding"] = {**encoding, "tooltip": [*tooltip(page, block), *_ENDS]}
    return made


def has_band(block: Block, drawing: Drawing) -> bool:
    """Whether intervals become a band along the shapes of a block, which run from mark to mark along an axis."""
    traits = block.branch.drawn.traits
    return traits.connects and not traits.follows_rows and drawing.mark["type"] in ("line", "area")


def band_rows(block: Block, rows: list[Row]) -> list[Row]:
    """Return the rows of the series with intervals: the band closes at certain marks, and breaks at unknown ones."""
    series: dict[tuple[object, ...], list[Row]] = {}
    for row in rows:
        series.setdefault((row.get("color"), row.get("detail")), []).append(row)
    return [
        _with_ends(row, "x" if block.branch.is_horizontal else "y")
        for members in series.values()
        if any("_from" in row for row in members)
        for row in members
    ]


def _with_ends(row: Row, measured: str) -> Row:
    if "_from" in row:
        return row
    end = None if row.get("_doubt") else row.get(measured)
    return {**row, "_from": end, "_to": end}


def band_layer(page: Page, block: Block, drawing: Drawing, domains: Domains, data: str) -> Json:
    """Return a band along each shape, from the least to the greatest value that its marks can have."""
    area: Json = {"type": "area", "opacity": 0.25, "line": False}
    if "interpolate" in drawing.mark:
        area["interpolate"] = drawing.mark["interpolate"]
    fields = {name: drawing.fields[name] for name in ("x", "y") if name in drawing.fields}
    made = draw_layer(page, block, Drawing(area, ("x", "y", "color", "detail"), fields), domains, data)
    encoding = cast("dict[str, Json]", made["encoding"])
    measured = "x" if lies_turned(page, block.branch) else "y"
    encoding[measured] = {**encoding[measured], "field": "_from", "stack": None}
    encoding[f"{measured}2"] = {"field": "_to"}
    return made
