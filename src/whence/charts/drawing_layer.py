"""One drawing of a geom as a layer of Vega-Lite: its mark, its channels with their scales and axes, and its tooltip."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from whence.charts.circle import placed_channels
from whence.charts.compile import Branch
from whence.charts.domains import Domains, measure_axis, slot_axis
from whence.charts.encode import Json
from whence.charts.errors import wrong
from whence.charts.geoms.geom import Drawing, Frame
from whence.charts.kinds import Kind
from whence.charts.labels import value_labels
from whence.charts.number_formats import number_format
from whence.charts.page import Page
from whence.charts.picture import Block
from whence.charts.positions.position import Row
from whence.charts.positions.registry import find_position
from whence.charts.spec import POSITIONS

_FLIPPED = {"x": "y", "y": "x", "x2": "y2", "y2": "x2", "xOffset": "yOffset", "yOffset": "xOffset"}


def draw_layer(page: Page, block: Block, drawing: Drawing, domains: Domains, data: str) -> Json:
    """Return the layer of one drawing of a block, over a dataset of the specification."""
    branch = block.branch
    mark = {**drawing.mark, **find_position(branch.pos).mark(find_position(branch.pos).choose(branch.pos))}
    if lies_turned(page, branch):
        mark = _turned_mark(mark)
    encoding = _encoding(page, block, drawing, domains)
    if branch.drawn.traits.fits_pixels:
        mark = branch.drawn.cut(mark, _turned_back(block), _frame(page, block, encoding, domains))
    # If there are invisible points to be pointed at, only they have the tooltip.
    if drawing.is_pick or not any(each.is_pick for each in branch.drawn.draw(kinds_along_x(branch), {})):
        encoding["tooltip"] = tooltip(page, block)
    made: Json = {"data": {"name": data}, "mark": mark, "encoding": encoding}
    return {**made, "transform": list(drawing.transform)} if drawing.transform else made


def kinds_along_x(branch: Branch) -> dict[str, Kind]:
    """Return the kinds as a geom sees them: keys along x, and listed values as text, whatever their type."""
    kinds: dict[str, Kind] = {name: "text" if name in branch.listed else kind for name, kind in branch.kinds.items()}
    return {(_FLIPPED.get(name, name) if branch.is_horizontal else name): kind for name, kind in kinds.items()}


def panel_size(page: Page, domains: Domains) -> tuple[object, object]:
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


def lies_turned(page: Page, branch: Branch) -> bool:
    """Return whether keys lie along y in the picture."""
    return branch.is_horizontal != page.spec.look.flip


def tooltip(page: Page, block: Block) -> list[Json]:
    """Return the fields that are shown at a mark."""
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
            tip |= {"type": "quantitative", "format": number_format(block.rows, field, title)}
        else:
            tip["type"] = "nominal"
        tips.append(tip)
    return tips


def _turned_back(block: Block) -> list[Row]:
    """Return the rows as a geom sees them, with keys along x."""
    if not block.branch.is_horizontal:
        return block.rows
    return [{_FLIPPED.get(name, name): value for name, value in row.items()} for row in block.rows]


def _frame(page: Page, block: Block, encoding: Json, domains: Domains) -> Frame:
    """Return the pixels of a unit of each axis. The axes must be linear, or they would have no common unit."""
    width, height = (float(str(each)) for each in panel_size(page, domains))
    pixels = {name: _pixels(page, encoding, name, size) for name, size in (("x", width), ("y", height))}
    is_turned = lies_turned(page, block.branch)
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


def _turned_mark(mark: Json) -> Json:
    if mark["type"] in ("bar", "area", "line", "tick"):
        mark = {**mark, "orient": {"horizontal": "vertical"}.get(str(mark.get("orient")), "horizontal")}
        if mark["type"] == "line":
            del mark["orient"]
    if "width" in mark:
        mark = {**{name: look for name, look in mark.items() if name != "width"}, "height": mark["width"]}
    return mark


def _encoding(page: Page, block: Block, drawing: Drawing, domains: Domains) -> Json:
    branch, row = block.branch, block.rows[0] if block.rows else {}
    encoding: Json = {} if page.colour is None else {"color": {"value": page.colour}}
    for user, shown, vega in _channels(page, branch, drawing):
        if user in branch.constants and user not in branch.kinds:
            encoding[vega] = _constant(user, branch.constants[user], domains)
        elif shown in row:
            encoding[vega] = show_field(page, user, shown, domains, block)
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
            key = "yOffset" if lies_turned(page, branch) else "xOffset"
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


def show_field(page: Page, user: str, field: str, domains: Domains, block: Block) -> Json:
    """Return a channel of Vega-Lite that shows a field: its type, scale, title and axis."""
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
        pixels = page.height if is_vertical else panel_size(page, domains)[0]
        made["axis"] = scales.axis(user, domain, float(str(pixels)), is_vertical=is_vertical)
        # Vega-Lite stacks bars and areas by itself. The picture has already placed them.
        made["stack"] = None
        if user == measure_axis(block) and find_position(block.branch.pos).traits.makes_shares:
            # Shares that are all 0 or 1 are whole numbers, but 50 % is a place on their axis.
            fractions = replace(domain, is_whole=False)
            axis = scales.axis(user, fractions, float(str(pixels)), is_vertical=is_vertical)
            made["axis"] = {**axis, **scales.percent(user)}
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
    axis = "y" if lies_turned(page, block.branch) else "x"
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
