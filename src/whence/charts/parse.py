"""Parse the JSON form of a chart. Errors name the place in the JSON and the name that was probably meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import cast

from whence.charts.errors import near, wrong
from whence.charts.filters import parse_where
from whence.charts.fold import parse_fold
from whence.charts.geoms.registry import find_geom
from whence.charts.operator import Call
from whence.charts.options import check_options
from whence.charts.positions.registry import find_position
from whence.charts.scales.registry import find_scale
from whence.charts.spec import ALIASES, CHANNELS, SCALED, Channel, Data, Facet, Layer, Look, Side, Spec
from whence.charts.stats.registry import find_stat, full
from whence.model.parameter import Parameter

Json = Mapping[str, object]

MAX_MARKS = 5_000
"""The most marks that are drawn one by one. With more, pixels run out and browsers freeze."""

_CLASSES = ("data", "aes", "stat", "geom", "pos")
_OF_LAYER = (*_CLASSES, "axis", "inherit")
_LOOK = ("title", "width", "height", "coord", "max_marks")
_TOP = (*_CLASSES, "facet", "scale", "layer", *_LOOK)


def parse(json: Json) -> Spec:
    """Return the specification that the JSON describes."""
    _check_names(json, _TOP, "")
    facet = _facet(json.get("facet"))
    layers = tuple(_layers(json, facet))
    look = check_options("a chart", _LOOK_OPTIONS, {key: json[key] for key in _LOOK if key in json}, "top")
    coord = check_options("coord", _COORD_OPTIONS, cast(Json, look["coord"] or {}), "coord")
    scales = _scales(json.get("scale"))
    return Spec(
        layers=layers,
        facet=facet,
        scales=scales,
        look=Look(
            cast("str | None", look["title"]),
            cast("int | None", look["width"]),
            cast("int | None", look["height"]),
            bool(coord["flip"]),
            cast("float | None", coord["ratio"]),
        ),
        max_marks=cast(int, look["max_marks"]),
        json=dict(json),
    )


_LOOK_OPTIONS = (
    Parameter("title", "text", "the title of the chart"),
    Parameter("width", "whole", "the width of a panel in pixels", least=10),
    Parameter("height", "whole", "the height of a panel in pixels", least=10),
    Parameter("coord", "mapping", "how x and y are laid out"),
    Parameter("max_marks", "whole", "how many marks are drawn one by one", default=MAX_MARKS, least=1),
)
_DATA_OPTIONS = (
    Parameter("name", "text", "a dataset"),
    Parameter("where", "value", "conditions on its rows: SQL, a column with values or a range, or a list of both"),
    Parameter("fold", "values", "columns of measures that become one column, with a row for each"),
    Parameter("as", "values", "the names of the columns that hold the folded measures and their values"),
)
_COORD_OPTIONS = (
    Parameter("flip", "flag", "whether x goes up and y to the right", default=False),
    Parameter("ratio", "number", "the height of a unit of y over the width of a unit of x"),
)


def _check_names(json: object, names: tuple[str, ...], path: str) -> None:
    if not isinstance(json, Mapping):
        raise wrong(path, f"a mapping is needed, not {type(json).__name__} {json!r}")
    for name in json:
        if name not in names:
            place = f"{path}.{name}" if path else str(name)
            raise wrong(place, f"there is no class {name}", near(name, names, "Classes"))


def _layers(json: Json, facet: Facet) -> Iterator[Layer]:
    """Yield each layer once for each combination of parameter values. Keys at the top hold for every layer."""
    shared = {key: json[key] for key in _CLASSES if key in json}
    written = json.get("layer", [{}])
    listed = [written] if isinstance(written, Mapping) else written
    if not isinstance(listed, list | tuple) or not listed:
        raise wrong("layer", f"a list of layers is needed, not {written!r}")
    sides = {name: side for name, side in facet.sides.items() if side.parameter is not None}
    choices = [[(name, side, value) for value in side.values] for name, side in sides.items()]
    used: set[str] = set()
    for number, each in enumerate(listed):
        path = f"layer[{number}]" if "layer" in json else ""
        _check_names(each, _OF_LAYER, path)
        for picked in product(*choices):
            values = {cast(str, side.parameter): value for _, side, value in picked}
            above = _inherited(shared, each, path)
            merged = {**above, **each, "aes": _merge_mappings(above.get("aes"), each.get("aes"))}
            panel = {name: value for name, _, value in picked}
            layer = _layer(number, cast(Json, _filled(merged, values, used)), panel, path)
            chart = _layer(number, cast(Json, _filled(shared, values, set())), panel, "")
            yield replace(layer, shared_stats=chart.stats, shared_geom=chart.geom)
    for side in sides.values():
        # A parameter that changes nothing would draw the same panel again and again.
        if side.parameter not in used:
            raise wrong("facet", f"nothing in the chart uses the parameter {side.parameter}", "Use it as a value.")


def _inherited(shared: Json, layer: Json, path: str) -> Json:
    """Return what a layer takes from the top: nothing but the rows if it says so."""
    said = layer.get("inherit", True)
    if not isinstance(said, bool):
        raise wrong(f"{path}.inherit", f"true or false is needed, not {said!r}")
    return shared if said else {name: each for name, each in shared.items() if name == "data"}


def _merge_mappings(shared: object, own: object) -> object:
    if isinstance(shared, Mapping) and isinstance(own, Mapping):
        return {**shared, **own}
    return shared if own is None else own


def _filled(json: object, values: Json, used: set[str]) -> object:
    """Return the JSON with each parameter replaced by its value. A parameter may also stand for an operator."""
    if isinstance(json, str) and json in values:
        used.add(json)
        return values[json]
    if isinstance(json, Mapping):
        if set(json) == {"param"} and json["param"] in values:
            used.add(str(json["param"]))
            return values[str(json["param"])]
        return {key: _filled(each, values, used) for key, each in json.items()}
    return [_filled(each, values, used) for each in json] if isinstance(json, list | tuple) else json


def _layer(number: int, json: Json, panel: Json, path: str) -> Layer:
    def at(name: str) -> str:
        return f"{path}.{name}" if path else name

    stats = json.get("stat")
    listed = None if stats is None else stats if isinstance(stats, list | tuple) else [stats]
    several = isinstance(stats, list | tuple)
    calls = (
        None
        if listed is None
        else tuple(full(_call(each, f"{at('stat')}[{n}]" if several else at("stat"))) for n, each in enumerate(listed))
    )
    geom = None if json.get("geom") is None else _call(json["geom"], at("geom"))
    pos = None if json.get("pos") is None else _call(json["pos"], at("pos"))
    for call in calls or ():
        # Refuse unknown names and options now, with their place in the JSON, not when the query is made.
        find_stat(call).choose(call)
    if geom is not None:
        find_geom(geom).choose(geom)
    if pos is not None:
        find_position(pos).choose(pos)
    return Layer(
        number=number,
        data=_data(json.get("data"), at("data")),
        aes=_aes(json.get("aes"), at("aes")),
        stats=calls,
        geom=geom,
        pos=pos,
        axis=_axis(json.get("axis"), at("axis")),
        panel=panel,
        path=path,
    )


def _call(json: object, path: str) -> Call:
    if isinstance(json, str):
        return Call(json, {}, path)
    if isinstance(json, Mapping) and isinstance(json.get("type"), str):
        return Call(str(json["type"]), {key: each for key, each in json.items() if key != "type"}, path)
    raise wrong(path, f'a name or {{"type": name, ...}} is needed, not {json!r}')


def _data(json: object, path: str) -> Data:
    if json is None or isinstance(json, str):
        return Data(json, path=path)
    if not isinstance(json, Mapping):
        raise wrong(path, f"a name, or a mapping of name, where and fold, is needed, not {json!r}")
    chosen = check_options("data", _DATA_OPTIONS, json, path)
    return Data(
        cast("str | None", chosen["name"]),
        parse_where(chosen["where"], f"{path}.where"),
        parse_fold(chosen["fold"], chosen["as"], path),
        path,
    )


def _axis(json: object, path: str) -> str:
    if json not in (None, "left", "right"):
        raise wrong(path, f"the axis of a layer is left or right, not {json!r}")
    return "right" if json == "right" else "left"


def _aes(json: object, path: str) -> dict[str, Channel]:
    if json is None:
        return {}
    if not isinstance(json, Mapping):
        raise wrong(path, f"a mapping from what is seen to columns is needed, not {json!r}")
    found: dict[str, Channel] = {}
    for key, each in json.items():
        name = ALIASES.get(key, key)
        if name not in CHANNELS:
            raise wrong(f"{path}.{key}", f"there is no aesthetic {key}", near(key, [*CHANNELS, *ALIASES], "Aesthetics"))
        if each is not None:
            found[name] = channel(each, f"{path}.{key}")
    # JSON objects have no order, but queries are compared by their text: list the channels in one order.
    return {name: found[name] for name in CHANNELS if name in found}


def channel(json: object, path: str) -> Channel:
    """Parse an aesthetic: a column name, or a mapping with column, sql or value."""
    if isinstance(json, str):
        return Channel(column=json, path=path)
    if not isinstance(json, Mapping):
        raise wrong(path, f"a column is needed, not {json!r}", 'A constant is written {"value": ...}.')
    options = (
        Parameter("column", "text", "a column"),
        Parameter("sql", "text", "a SQL expression over the columns"),
        Parameter("value", "value", "one value for all marks"),
        Parameter("title", "text", "what axes and legends call it"),
    )
    chosen = check_options("an aesthetic", options, json, path)
    if sum(chosen[name] is not None for name in ("column", "sql", "value")) != 1:
        raise wrong(path, "exactly one of column, sql and value is needed")
    return Channel(
        cast("str | None", chosen["column"]),
        cast("str | None", chosen["sql"]),
        chosen["value"],
        cast("str | None", chosen["title"]),
        path,
    )


def _facet(json: object) -> Facet:
    if json is None:
        return Facet()
    if isinstance(json, str):
        json = {"wrap": json}
    options = (
        Parameter("x", "value", "what stands side by side"),
        Parameter("y", "value", "what stands one above the other"),
        Parameter("wrap", "value", "what fills row after row"),
        Parameter("columns", "whole", "how many panels stand side by side", least=1),
        Parameter("free", "choice", "the axes each panel has for itself", default="", choices=("", "x", "y", "xy")),
    )
    if not isinstance(json, Mapping):
        raise wrong("facet", f"a mapping of x, y or wrap is needed, not {json!r}")
    chosen = check_options("facet", options, json, "facet")
    if chosen["wrap"] is not None and (chosen["x"] is not None or chosen["y"] is not None):
        raise wrong("facet", "wrap stands alone, without x and y")
    x, y, wrap = (None if chosen[name] is None else _side(chosen[name], f"facet.{name}") for name in ("x", "y", "wrap"))
    if x is None and y is None and wrap is None:
        raise wrong("facet", "one of x, y and wrap is needed")
    return Facet(x, y, wrap, cast("int | None", chosen["columns"]), cast(str, chosen["free"]))


def _side(json: object, path: str) -> Side:
    """Parse a direction of a facet: a column, or a parameter as `{"param": "VAR1", "values": [10, 20]}`."""
    if isinstance(json, Mapping):
        values = json.get("values", json.get("vals"))
        name = json.get("param", json.get("type"))
        if values is not None or name is not None:
            if not isinstance(name, str) or not isinstance(values, list | tuple) or not values:
                raise wrong(path, 'a parameter is written {"param": name, "values": [...]}')
            return Side(None, name, tuple(values), str(json.get("title", name)))
    found = channel(json, path)
    return Side(found, title=found.name)


def _scales(json: object) -> dict[str, Call]:
    if json is None:
        return {}
    if not isinstance(json, Mapping):
        raise wrong("scale", f"a mapping from aesthetics to scales is needed, not {json!r}")
    found = {}
    for key, each in json.items():
        name, path = ALIASES.get(key, key), f"scale.{key}"
        if name not in SCALED:
            raise wrong(path, f"{key} has no scale", near(key, SCALED, "Scales are for"))
        # Options without a type: the type of the column chooses the scale.
        call = Call("auto", dict(each), path) if isinstance(each, Mapping) and "type" not in each else _call(each, path)
        find_scale(call).choose(call)
        found[name] = call
    return found
