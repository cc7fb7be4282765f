"""Write a chart as complete Vega-Lite: data inlined, nothing left to compute, every row with its mark."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import cast

from whence.charts.circle import placed_channels
from whence.charts.compile import Branch, Compiled
from whence.charts.domains import Domains, measure_axis, slot_axis, train
from whence.charts.encode import Json, Scales
from whence.charts.errors import wrong
from whence.charts.geoms.geom import GAP, Drawing, Frame
from whence.charts.ground import outlines_below, projection_of
from whence.charts.kinds import Kind
from whence.charts.labels import value_labels
from whence.charts.page import Page, at_right, beside, check_sides, shown_own_axis
from whence.charts.picture import Block, Panel, Picture, Slots
from whence.charts.positions.position import Row, number
from whence.charts.positions.registry import find_position
from whence.charts.spec import POSITIONS, Spec
from whence.charts.theme import CONFIG, DOUBT, stripes

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
_FLIPPED = {"x": "y", "y": "x", "x2": "y2", "y2": "x2", "xOffset": "yOffset", "yOffset": "xOffset"}
_SINGLE = (420, 260)
"""Width and height of the only panel, in pixels."""
_SMALL = (190, 140)
"""Width and height of one of several panels, in pixels."""
_TOTALS = 56
"""The pixels that the bars of totals beside a heat map may take."""
_LONG = 10_000
"""From this number on, axes of totals write 40k and 40M."""
_EXPONENT = 1e6
"""From this number on, six significant digits would need an exponent."""
_SURFACES = ("bar", "rect", "arc", "point", "geoshape", "line")
"""The marks of Vega-Lite with an area on which stripes show, if the geom says that it is hatched."""
_PLACES = ("x", "y", "longitude", "latitude")
"""The channels of Vega-Lite that say where a point stands."""
_UPRIGHT = ("bar", "point", "line", "area", "tick")
"""The marks of Vega-Lite that show a value by where they end, so that an interval can stand there."""
_RINGED = 100
"""The most marks of a line that get a ring for doubt. More rings would hide the line."""


def to_vega(spec: Spec, compiled: Compiled, picture: Picture) -> Json:
    """Return the Vega-Lite specification of a picture."""
    check_sides(spec)
    titles: dict[str, str] = {}
    for branch in compiled.branches:
        for name, title in branch.relation.titles.items():
            titles.setdefault(name, title)
    is_faceted = bool(spec.facet.sides)
    wide, high = _SMALL if is_faceted else _SINGLE
    width, height = spec.look.width or wide, spec.look.height or high
    projection = projection_of(picture, (width, height) if is_faceted else None)
    page = Page(spec, Scales(spec.scales, titles), width, height, slots=picture.slots, projection=projection)
    domains = train(picture, spec)
    datasets: dict[str, list[Row]] = {}
    views = {panel: _view(page, picture, panel, domains[panel], datasets) for panel in picture.panels}
    made: Json = {"$schema": SCHEMA, "config": CONFIG, "datasets": datasets}
    if spec.look.title or picture.notes:
        made["title"] = {"text": spec.look.title or "", "subtitle": list(picture.notes)}
    totals = [block for block in picture.blocks if block.branch.margin is not None]
    if totals:
        (view,), (domain,) = views.values(), domains.values()
        return {**made, **_with_totals(page, view, totals, domain, datasets)}
    if not is_faceted:
        return {**made, **(next(iter(views.values())) if views else _empty(page))}
    return {**made, **_grid(page, picture, views)}


def _empty(page: Page) -> Json:
    """Return an empty panel of the usual size."""
    return {"data": {"values": []}, "mark": "point", "width": page.width, "height": page.height}


def _grid(page: Page, picture: Picture, views: Mapping[Panel, Json]) -> Json:
    """Return the panels row by row, empty ones included. Axis titles stand at the outer edges only."""
    facet = page.spec.facet
    # Each panel has its trained domains, shared or free. Vega-Lite must not merge them again.
    resolve: Json = {"scale": {"x": "independent", "y": "independent"}}
    if facet.wrap is not None:
        # About as many columns as rows: the square root, rounded up.
        columns = facet.columns or max(1, round(len(views) ** 0.5 + 0.49))
        named = [
            {**_at_edge(view, left=place % columns == 0, below=place + columns >= len(views)), "title": _head(panel[0])}
            for place, (panel, view) in enumerate(views.items())
        ]
        return {"concat": named, "columns": columns, "resolve": resolve, "spacing": 18}
    across = list(dict.fromkeys(sorted({panel[1] for panel in picture.panels}, key=_place)))
    down = list(dict.fromkeys(sorted({panel[2] for panel in picture.panels}, key=_place)))
    rows = []
    for second in down:
        line = []
        for first in across:
            view = views.get((None, first, second), _empty(page))
            view = _at_edge(view, left=first == across[0], below=second == down[-1])
            line.append({**view, "title": _heads(page, first, second)})
        rows.append({"hconcat": line, "spacing": 18, "resolve": resolve})
    return {"vconcat": rows, "resolve": resolve, "spacing": 18}


def _with_totals(page: Page, view: Json, totals: list[Block], domains: Domains, datasets: dict[str, list[Row]]) -> Json:
    """Return the panel with the totals of columns above it, and those of rows to its right."""
    resolve: Json = {"scale": {"x": "independent", "y": "independent"}}
    beside = {_shown_axis(page, block): _totals(page, block, domains, datasets) for block in totals}
    line = [view, beside["y"]] if "y" in beside else [view]
    panels: list[Json] = [{"hconcat": line, "spacing": 10, "bounds": "flush", "resolve": resolve}]
    above = [beside["x"]] if "x" in beside else []
    return {"vconcat": [*above, *panels], "spacing": 10, "bounds": "flush", "resolve": resolve}


def _shown_axis(page: Page, block: Block) -> str:
    axis = str(block.branch.margin)
    return _FLIPPED[axis] if page.spec.look.flip else axis


def _totals(page: Page, block: Block, domains: Domains, datasets: dict[str, list[Row]]) -> Json:
    """Return bars along one axis of a heat map. Their length shows what colour shows there."""
    own, shown = str(block.branch.margin), _shown_axis(page, block)
    measure = _FLIPPED[shown]
    key = _channel(page, own, own, domains, block)
    place: Json = {shown: {**key, "axis": None, "title": None}}
    if f"{own}2" in block.branch.kinds:
        place[f"{shown}2"] = {"field": f"{own}2"}
    values = [number(row.get("color")) for row in block.rows] or [0.0]
    # Large numbers as 40M: there is room for two short labels.
    form = "~s" if max(map(abs, values)) >= _LONG else "~f"
    look: Json = {"tickCount": 2, "grid": False, "labelAngle": 0, "labelFlush": True, "format": form}
    place[measure] = {
        "field": "color",
        "type": "quantitative",
        "title": None,
        "stack": None,
        "scale": {"domain": [min(0.0, *values), max(0.0, *values)], "nice": False},
        "axis": {**look, "orient": "right" if measure == "y" else "bottom"},
    }
    place[f"{measure}2"] = {"datum": 0}
    place["tooltip"] = _tooltip(page, block)
    mark: Json = {"type": "rect", "style": GAP}
    layers: list[Json] = [{"data": {"name": named(datasets, "rows", block.rows)}, "mark": mark, "encoding": place}]
    doubtful = [row for row in block.rows if row.get("_doubt")]
    if doubtful:
        why = {"field": "_why", "type": "nominal", "title": "in doubt"}
        hatched = {**mark, "fill": stripes(), "stroke": DOUBT, "strokeWidth": 1, "strokeDash": [3, 2]}
        encoding = {**place, "tooltip": [*_tooltip(page, block), why]}
        name = named(datasets, "doubtful", doubtful)
        layers.append({"data": {"name": name}, "mark": hatched, "encoding": encoding})
    width, height = _size(page, domains)
    size = {"width": width, "height": _TOTALS} if shown == "x" else {"width": _TOTALS, "height": height}
    return {**size, "layer": layers}


def _at_edge(view: Json, *, left: bool, below: bool) -> Json:
    """Return the panel without the axis titles that a neighbour shows."""
    gone = {channel for channel, is_shown in (("y", left), ("x", below)) if not is_shown}
    parts = cast("list[Json]", view["layer"]) if "layer" in view else [view]
    changed = []
    for part in parts:
        encoding = {**cast(Json, part.get("encoding", {}))}
        for channel in gone & encoding.keys():
            encoding[channel] = {**cast(Json, encoding[channel]), "title": None}
        changed.append({**part, "encoding": encoding})
    return {**view, "layer": changed} if "layer" in view else changed[0]


def _place(value: object) -> tuple[bool, bool, float, str]:
    is_number = isinstance(value, int | float)
    return value is None, not is_number, float(value) if isinstance(value, int | float) else 0.0, str(value)


def _head(value: object) -> Json:
    return {"text": "nothing" if value is None else str(value), "fontSize": 12, "anchor": "middle", "offset": 4}


def _heads(page: Page, first: object, second: object) -> Json:
    facet, words = page.spec.facet, []
    for side, value in ((facet.x, first), (facet.y, second)):
        if side is not None:
            shown = "nothing" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
            words.append(f"{side.title} = {shown}" if side.parameter else shown)
    return _head(" · ".join(words))


def _view(page: Page, picture: Picture, panel: Panel, domains: Domains, datasets: dict[str, list[Row]]) -> Json:
    sides: dict[str, list[Json]] = {"left": [], "right": []}
    shared = page
    for block in picture.blocks:
        if block.panel != panel or block.branch.margin is not None:
            continue
        layers = sides[block.branch.layer.axis]
        page, known = at_right(shared, block.branch, domains) if block.branch.own_axis else (shared, domains)
        name = named(datasets, "rows", slotted(block, picture.slots))
        drawings = block.branch.drawn.draw(_canonical(block.branch), block.branch.drawn.choose(block.branch.geom))
        layers += [_drawn(page, block, each, known, name) for each in drawings]
        doubtful = [row for row in slotted(block, picture.slots) if row.get("_doubt")]
        if doubtful:
            layers.append(_doubted(page, block, drawings, known, named(datasets, "doubtful", doubtful)))
        bounded = [_with_middle(block, row) for row in slotted(block, picture.slots) if "_low" in row]
        if bounded and drawings[0].mark["type"] in _UPRIGHT:
            layers.append(_interval(page, block, drawings[0], known, named(datasets, "bounded", bounded)))
    width, height = _size(shared, domains)
    view: Json = {"width": width, "height": height}
    if sides["left"] and sides["right"]:
        return {**view, **beside(sides, shown_own_axis(shared, picture))}
    layers = sides["left"] or sides["right"]
    if shared.projection is not None:
        view["projection"] = shared.projection
        layers.insert(0, outlines_below())
    return {**view, **layers[0]} if len(layers) == 1 else {**view, "layer": layers}


def slotted(block: Block, slots: Slots) -> list[Row]:
    """Return the rows of a block, with the slot number of their category if the chart has slots."""
    axis = slot_axis(block.branch)
    return [{**row, "_slot": slots.get(row.get(axis))} for row in block.rows] if slots else block.rows


def named(datasets: dict[str, list[Row]], stem: str, rows: list[Row]) -> str:
    """Add rows to the datasets of a specification under the next free name, and return the name."""
    name, number = stem, 1
    while name in datasets:
        name, number = f"{stem}_{number}", number + 1
    datasets[name] = rows
    return name


def _canonical(branch: Branch) -> dict[str, Kind]:
    """Return the kinds as a geom sees them: keys along x, and listed values as text, whatever their type."""
    kinds: dict[str, Kind] = {name: "text" if name in branch.listed else kind for name, kind in branch.kinds.items()}
    return {(_FLIPPED.get(name, name) if branch.is_horizontal else name): kind for name, kind in kinds.items()}


def _size(page: Page, domains: Domains) -> tuple[object, object]:
    """Return width and height of a panel: enlarged for many categories, or with the height set by a fixed ratio."""
    width: float = page.width
    height: float = page.height
    look = page.spec.look
    if page.projection is not None:
        return width, height
    x, y = (domains.get("y"), domains.get("x")) if look.flip else (domains.get("x"), domains.get("y"))
    if look.width is None and x is not None and x.kind == "text":
        # 14 pixels fit a label in its full size (see `label_axis`).
        width = min(max(width, 14 * len(x.values)), 900)
    if look.height is None and y is not None and y.kind == "text":
        height = min(max(height, 14 * len(y.values)), 900)
    if look.ratio is not None and x is not None and y is not None and x.kind == y.kind == "number":
        spans = [float(each.values[1]) - float(each.values[0]) for each in (x, y) if len(each.values) == 2]  # type: ignore[arg-type]
        if len(spans) == 2 and spans[0] > 0:
            height = max(20, round(width * spans[1] / spans[0] * look.ratio))
    return width, height


def _drawn(page: Page, block: Block, drawing: Drawing, domains: Domains, data: str) -> Json:
    branch = block.branch
    mark = {**drawing.mark, **find_position(branch.pos).mark(find_position(branch.pos).choose(branch.pos))}
    if _is_turned(page, branch):
        mark = _turned_mark(mark)
    encoding = _encoding(page, block, drawing, domains)
    if branch.drawn.traits.fits_pixels:
        mark = branch.drawn.cut(mark, _turned_back(block), _frame(page, block, encoding, domains))
    # If there are invisible points to be pointed at, only they have the tooltip.
    if drawing.is_pick or not any(each.is_pick for each in branch.drawn.draw(_canonical(branch), {})):
        encoding["tooltip"] = _tooltip(page, block)
    made: Json = {"data": {"name": data}, "mark": mark, "encoding": encoding}
    return {**made, "transform": list(drawing.transform)} if drawing.transform else made


def _turned_back(block: Block) -> list[Row]:
    """Return the rows as a geom sees them, with keys along x."""
    if not block.branch.is_horizontal:
        return block.rows
    return [{_FLIPPED.get(name, name): value for name, value in row.items()} for row in block.rows]


def _frame(page: Page, block: Block, encoding: Json, domains: Domains) -> Frame:
    """Return the pixels of a unit of each axis. The axes must be linear, or they would have no common unit."""
    width, height = (float(str(each)) for each in _size(page, domains))
    pixels = {name: _pixels(page, encoding, name, size) for name, size in (("x", width), ("y", height))}
    is_turned = _is_turned(page, block.branch)
    return Frame(pixels["y"], pixels["x"]) if is_turned else Frame(pixels["x"], pixels["y"])


def _pixels(page: Page, encoding: Json, axis: str, size: float) -> float:
    scale = cast(Json, cast(Json, encoding.get(axis, {})).get("scale", {}))
    if not page.scales.is_even(axis):
        what = f"hexagons have one shape everywhere, which the scale of {axis} does not give them"
        raise wrong(f"scale.{axis}", what, "Use a linear scale, or the stat bin2d with cells.")
    domain = scale.get("domain")
    ends = json.loads(str(domain["expr"])) if isinstance(domain, dict) else domain
    if not isinstance(ends, list) or len(ends) != 2 or ends[0] == ends[1]:
        return 1.0
    return size / abs(float(ends[1]) - float(ends[0]))


def _is_turned(page: Page, branch: Branch) -> bool:
    return branch.is_horizontal != page.spec.look.flip


def _turned_mark(mark: Json) -> Json:
    if mark["type"] in ("bar", "area", "line", "tick"):
        mark = {**mark, "orient": {"horizontal": "vertical"}.get(str(mark.get("orient")), "horizontal")}
        if mark["type"] == "line":
            del mark["orient"]
    return mark


def _encoding(page: Page, block: Block, drawing: Drawing, domains: Domains) -> Json:
    branch, row = block.branch, block.rows[0] if block.rows else {}
    encoding: Json = {} if page.colour is None else {"color": {"value": page.colour}}
    for user, shown, vega in _channels(page, branch, drawing):
        if user in branch.constants and user not in branch.kinds:
            encoding[vega] = _constant(user, branch.constants[user], domains)
        elif shown in row:
            encoding[vega] = _channel(page, user, shown, domains, block)
    encoding |= placed_channels(drawing, (page.width, page.height), is_panel=bool(page.spec.facet.sides))
    if drawing.apart:
        encoding["detail"] = _detail(branch, drawing, encoding)
    if page.slots:
        _slot_axis(page, encoding, block, domains)
    if drawing.mark["type"] in ("line", "trail"):
        encoding |= _line_order(branch, encoding)
    for name, kind in (("_dodge", "nominal"), ("_jitter", "quantitative")):
        if name in row:
            offset: Json = {"field": name, "type": kind}
            if name == "_jitter":
                offset["scale"] = {"domain": [-0.5, 0.5]}
            else:
                offset["scale"] = {"domain": list(domains["color"].values)} if "color" in domains else {}
            key = "yOffset" if _is_turned(page, branch) else "xOffset"
            encoding[key] = offset
    return encoding


def _channels(page: Page, branch: Branch, drawing: Drawing) -> Iterator[tuple[str, str, str]]:
    """Yield each channel of a drawing: the user's name of it, the field it shows, and Vega-Lite's name."""
    for channel in drawing.channels:
        user, shown = channel, drawing.fields.get(channel, channel)
        if branch.is_horizontal:
            user, shown = _FLIPPED.get(user, user), _FLIPPED.get(shown, shown)
        # A listed value has no stretch to end; the edges of a violin have names of their own.
        if shown not in ("x2", "y2") or user[0] not in branch.listed:
            yield user, shown, _FLIPPED.get(user, user) if page.spec.look.flip else user


def _detail(branch: Branch, drawing: Drawing, encoding: Json) -> object:
    """Return the fields that tell shapes apart: those of the drawing, and the user's."""
    fields = [_FLIPPED.get(name, name) if branch.is_horizontal else name for name in drawing.apart]
    own: list[object] = [{"field": field, "type": "nominal"} for field in fields]
    every = [*own, encoding["detail"]] if "detail" in encoding else own
    return every if len(every) > 1 else every[0]


def _line_order(branch: Branch, encoding: Json) -> Json:
    """Return the encoding that draws a path from mark to mark. Without it, Vega-Lite sorts a line by x."""
    return {"order": {"field": "_mark", "type": "quantitative"}} if branch.drawn.traits.follows_rows else {}


def _constant(channel: str, value: object, domains: Domains) -> Json:
    if channel in POSITIONS:
        kind = domains[channel].kind if channel in domains else "number" if isinstance(value, int | float) else "text"
        return {"datum": value, "type": {"number": "quantitative", "time": "temporal"}.get(kind, "nominal")}
    return {"value": value}


def _channel(page: Page, user: str, field: str, domains: Domains, block: Block) -> Json:
    scales = page.scales
    if user in ("x2", "y2"):
        return {"field": field}
    if user in ("text", "detail", "order"):
        kind = block.branch.kinds.get(user, "number")
        shown: Json = {"field": field, "type": "nominal" if kind == "text" or user == "detail" else "quantitative"}
        return shown | ({"format": ",.4~g"} if user == "text" and kind == "number" else {})
    domain = domains[user]
    made: Json = {"field": field, "type": scales.type(user, domain), "scale": scales.scale(user, domain)}
    made["title"] = scales.title(user)
    if user in ("x", "y"):
        is_vertical = (user == "y") != page.spec.look.flip
        pixels = page.height if is_vertical else _size(page, domains)[0]
        made["axis"] = scales.axis(user, domain, float(str(pixels)), is_vertical=is_vertical)
        # Vega-Lite stacks bars and areas by itself. The picture has already placed them.
        made["stack"] = None
        if user == measure_axis(block) and find_position(block.branch.pos).traits.makes_shares:
            made["axis"] = {**cast(Json, made["axis"]), **scales.percent(user)}
            made["title"] = scales.stated_title(user) or f"share of {made['title']}"
        if user == page.own_axis:
            look = {"orient": "right" if is_vertical else "top", "grid": False, "titleColor": page.colour}
            made["axis"] = {**cast(Json, made["axis"]), **look}
        if domain.kind == "text":
            # Vega-Lite would sort categories by name. The domain has their order.
            made["sort"] = None
    return made


def _slot_axis(page: Page, encoding: Json, block: Block, domains: Domains) -> None:
    """Replace the category axis by whole numbers, labelled with the names of the categories."""
    axis = "y" if _is_turned(page, block.branch) else "x"
    own = slot_axis(block.branch)
    if axis not in encoding:
        return
    labels = value_labels(domains[own].kind, list(page.slots))
    field = encoding[axis]["field"] if block.branch.drawn.traits.stands_in_slots else "_slot"  # type: ignore[index]
    encoding[axis] = {
        "field": field,
        "type": "quantitative",
        "title": page.scales.title(own),
        "scale": {"domain": [-0.5, len(labels) - 0.5], "nice": False, "zero": False},
        "axis": {
            "values": list(range(len(labels))),
            "labelExpr": f"[{', '.join(map(json.dumps, labels))}][datum.value]",
            "grid": False,
        },
        "stack": None,
    }


def _tooltip(page: Page, block: Block) -> list[Json]:
    branch, tips = block.branch, []
    for name, kind in branch.kinds.items():
        if name in ("detail", "order"):
            continue
        field = "_value" if name == ("x" if branch.is_horizontal else "y") and kind == "number" else name
        if name == ("y" if branch.is_horizontal else "x") and block.rows and "_x" in block.rows[0]:
            field = "_x"
        title = page.scales.title(name) or name
        tip: Json = {"field": field, "title": f"{title} to" if name in ("x2", "y2") else title}
        if name in ("x2", "y2"):
            tip["title"] = f"{page.scales.title(name[0]) or name[0]} to"
        if kind == "time":
            tip |= {"type": "temporal", "format": "%Y-%m-%d %H:%M"}
        elif kind == "number":
            tip |= {"type": "quantitative", "format": _number_format(block.rows, field)}
        else:
            tip["type"] = "nominal"
        tips.append(tip)
    return tips


def _number_format(rows: list[Row], field: str) -> str:
    """Return a format of six digits, without an exponent for large numbers: 7,991,378 and not 7.99138e+6."""
    largest = max((abs(value) for row in rows if isinstance(value := row.get(field), int | float)), default=0)
    return ",.2~f" if largest >= _EXPONENT else ",.6~g"


def _doubted(page: Page, block: Block, drawings: list[Drawing], domains: Domains, data: str) -> Json:
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
    made = _drawn(page, block, drawing, domains, data)
    encoding: Json = made["encoding"]  # type: ignore[assignment]
    encoding["tooltip"] = [*_tooltip(page, block), {"field": "_why", "type": "nominal", "title": "in doubt"}]
    return made


def _with_middle(block: Block, row: Row) -> Row:
    """The row with the middle of its bar, for a mark between two edges."""
    key = slot_axis(block.branch)
    ends = (row.get(key), row.get(f"{key}2"))
    if key in block.branch.listed or not all(isinstance(end, int | float) for end in ends):
        return row
    return {**row, "_middle": sum(map(number, ends)) / 2}


def _interval(page: Page, block: Block, drawing: Drawing, domains: Domains, data: str) -> Json:
    """Return a line over each mark from the least to the greatest value that it can have."""
    rule: Json = {"type": "rule", "color": DOUBT, "strokeWidth": 2}
    fields = {name: drawing.fields[name] for name in ("x", "y") if name in drawing.fields}
    made = _drawn(page, block, Drawing(rule, ("x", "y"), fields), domains, data)
    encoding = cast("dict[str, Json]", made["encoding"])
    measured, key = ("x", "y") if _is_turned(page, block.branch) else ("y", "x")
    encoding[measured] = {**encoding[measured], "field": "_low"}
    encoding[f"{measured}2"] = {"field": "_high"}
    if key in encoding and "_middle" in _with_middle(block, block.rows[0]):
        encoding[key] = {**encoding[key], "field": "_middle"}
    ends = [{"field": f, "type": "quantitative", "title": t} for f, t in (("_low", "at least"), ("_high", "at most"))]
    made["encoding"] = {**encoding, "tooltip": [*_tooltip(page, block), *ends]}
    return made
