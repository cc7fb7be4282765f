"""Write a chart as complete Vega-Lite: data inlined, nothing left to compute, every row with its mark."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from whence.charts.compile import Compiled
from whence.charts.domains import Domains, measure_axis, slot_axis, train
from whence.charts.doubt_layers import (
    UPRIGHT,
    band_layer,
    band_rows,
    doubt_layer,
    has_band,
    hatched,
    interval_layer,
    stripe_axis,
    with_middle,
)
from whence.charts.drawing_layer import draw_layer, kinds_along_x, panel_size, show_field, tooltip
from whence.charts.encode import Json, Scales
from whence.charts.geoms.geom import GAP
from whence.charts.ground import outlines_below, projection_of
from whence.charts.page import Page, at_right, check_sides, share_panel, shown_own_axis
from whence.charts.picture import Block, Panel, Picture, Slots
from whence.charts.positions.position import Row, number
from whence.charts.positions.registry import find_position
from whence.charts.spec import Spec
from whence.charts.theme import CONFIG, stripes

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
    piles = _piles(picture, datasets)
    if piles:
        made["usermeta"] = {"piles": piles}
    if spec.look.title or picture.notes:
        made["title"] = {"text": spec.look.title or "", "subtitle": list(picture.notes)}
    totals = [block for block in picture.blocks if block.branch.margin is not None]
    if totals:
        (view,), (domain,) = views.values(), domains.values()
        return {**made, **_with_totals(page, view, totals, domain, datasets)}
    if not is_faceted:
        return {**made, **(next(iter(views.values())) if views else _empty(page))}
    return {**made, **_grid(page, picture, views)}


def _piles(picture: Picture, datasets: Mapping[str, list[Row]]) -> dict[str, str]:
    """Return along which axis groups of a colour stand on each other in a dataset, for pages that leave out some."""
    names = {_first_mark(rows): name for name, rows in datasets.items() if name.startswith("rows")}
    piled = (block for block in picture.blocks if block.rows and _is_piled(block))
    return {names[_first_mark(block.rows)]: measure_axis(block) for block in piled}


def _is_piled(block: Block) -> bool:
    end, branch = f"{measure_axis(block)}2", block.branch
    if branch.kinds.get("color") != "text" or not find_position(branch.pos).traits.piles_up:
        return False
    return end not in branch.kinds and end in block.rows[0]


def _first_mark(rows: list[Row]) -> object:
    """Return the number of the first mark. Rows that only close a gap have none."""
    return next((row["_mark"] for row in rows if "_mark" in row), None)


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
    key = show_field(page, own, own, domains, block)
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
    place["tooltip"] = tooltip(page, block)
    mark: Json = {"type": "rect", "style": GAP}
    layers: list[Json] = [{"data": {"name": named(datasets, "rows", block.rows)}, "mark": mark, "encoding": place}]
    doubtful = [row for row in block.rows if row.get("_doubt")]
    if doubtful:
        why = {"field": "_why", "type": "nominal", "title": "in doubt"}
        striped = {**hatched(mark), "fill": stripes(stripe_axis(page, block, domains, own, is_turned=shown == "y"))}
        encoding = {**place, "tooltip": [*tooltip(page, block), why]}
        name = named(datasets, "doubtful", doubtful)
        layers.append({"data": {"name": name}, "mark": striped, "encoding": encoding})
    width, height = panel_size(page, domains)
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
        drawings = block.branch.drawn.draw(kinds_along_x(block.branch), block.branch.drawn.choose(block.branch.geom))
        bounded = [with_middle(block, row) for row in slotted(block, picture.slots) if "_from" in row]
        if bounded and has_band(block, drawings[0]):
            band = named(datasets, "bounded", band_rows(block, slotted(block, picture.slots)))
            layers.append(band_layer(page, block, drawings[0], known, band))
        layers += [draw_layer(page, block, each, known, name) for each in drawings]
        doubtful = [row for row in slotted(block, picture.slots) if row.get("_doubt")]
        if doubtful:
            layers.append(doubt_layer(page, block, drawings, known, named(datasets, "doubtful", doubtful)))
        if bounded and drawings[0].mark["type"] in UPRIGHT and not has_band(block, drawings[0]):
            layers.append(interval_layer(page, block, drawings[0], known, named(datasets, "bounded", bounded)))
    width, height = panel_size(shared, domains)
    view: Json = {"width": width, "height": height}
    if sides["left"] and sides["right"]:
        return {**view, **share_panel(sides, shown_own_axis(shared, picture))}
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
