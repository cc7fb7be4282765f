"""What is drawn over marks in doubt: stripes or rings, and the interval in which their value lies."""

from __future__ import annotations

from typing import cast

from whence.charts.domains import Domains, slot_axis
from whence.charts.drawing_layer import draw_layer, lies_turned, tooltip
from whence.charts.encode import Json
from whence.charts.geoms.geom import Drawing
from whence.charts.page import Page
from whence.charts.picture import Block
from whence.charts.positions.position import Row, number
from whence.charts.spec import POSITIONS
from whence.charts.theme import DOUBT, stripes

_SURFACES = ("bar", "rect", "arc", "point", "geoshape", "line")
"""The marks of Vega-Lite with an area on which stripes show, if the geom says that it is hatched."""
_PLACES = ("x", "y", "longitude", "latitude")
"""The channels of Vega-Lite that say where a point stands."""
UPRIGHT = ("bar", "point", "line", "area", "tick")
"""The marks of Vega-Lite that show a value by where they end, so that an interval can stand there."""
_RINGED = 100
"""The most marks of a line that get a ring for doubt. More rings would hide the line."""


def doubt_layer(page: Page, block: Block, drawings: list[Drawing], domains: Domains, data: str) -> Json:
    """Return the drawing over doubtful marks: stripes where a mark has an area, a dashed ring where it has none."""
    drawing = next((each for each in drawings if each.mark["type"] in _SURFACES), None)
    is_area = block.branch.drawn.traits.is_hatched and drawing is not None
    if drawing is None or not is_area:
        ring: Json = {"type": "point", "filled": False, "size": 90, "stroke": DOUBT, "strokeDash": [2, 2], "opacity": 1}
        marks = sum("_mark" in row for row in block.rows)
        if block.branch.drawn.traits.connects and marks > _RINGED:  # rings would hide the line
            ring = {"type": "point", "filled": True, "size": 9, "color": DOUBT, "opacity": 0.8}
        first = drawings[-1]
        fields = {name: first.fields[name] for name in ("x", "y") if name in first.fields}
        fixed = {name: first.fixed[name] for name in _PLACES if name in first.fixed}
        is_placed = bool(fixed) or first.is_around
        drawing = Drawing(ring, () if is_placed else ("x", "y"), fields, fixed=fixed, is_around=first.is_around)
    else:
        mark = {**drawing.mark, "stroke": DOUBT, "strokeWidth": 1, "strokeDash": [3, 2]}
        if drawing.mark.get("filled", True):
            mark["fill"] = stripes()
        kept = tuple(name for name in drawing.channels if name in POSITIONS)
        drawing = Drawing(mark, kept, drawing.fields, fixed=drawing.fixed, transform=drawing.transform)
    made = draw_layer(page, block, drawing, domains, data)
    encoding: Json = made["encoding"]  # type: ignore[assignment]
    encoding["tooltip"] = [*tooltip(page, block), {"field": "_why", "type": "nominal", "title": "in doubt"}]
    return made


def with_middle(block: Block, row: Row) -> Row:
    """Return the row with the middle of its bar, for a mark between two edges."""
    key = slot_axis(block.branch)
    ends = (row.get(key), row.get(f"{key}2"))
    if key in block.branch.listed or not all(isinstance(end, int | float) for end in ends):
        return row
    return {**row, "_middle": sum(map(number, ends)) / 2}


def interval_layer(page: Page, block: Block, drawing: Drawing, domains: Domains, data: str) -> Json:
    """Return a line over each mark from the least to the greatest value that it can have."""
    rule: Json = {"type": "rule", "color": DOUBT, "strokeWidth": 2}
    fields = {name: drawing.fields[name] for name in ("x", "y") if name in drawing.fields}
    made = draw_layer(page, block, Drawing(rule, ("x", "y"), fields), domains, data)
    encoding = cast("dict[str, Json]", made["encoding"])
    measured, key = ("x", "y") if lies_turned(page, block.branch) else ("y", "x")
    encoding[measured] = {**encoding[measured], "field": "_low"}
    encoding[f"{measured}2"] = {"field": "_high"}
    if key in encoding and "_middle" in with_middle(block, block.rows[0]):
        encoding[key] = {**encoding[key], "field": "_middle"}
    ends = [{"field": f, "type": "quantitative", "title": t} for f, t in (("_low", "at least"), ("_high", "at most"))]
    made["encoding"] = {**encoding, "tooltip": [*tooltip(page, block), *ends]}
    return made
