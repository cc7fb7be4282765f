"""Translate Vega-Lite, hence Altair charts, into the grammar, and say exactly what the grammar does not have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from whence.charts.errors import near, wrong
from whence.charts.scales.registry import SCALES
from whence.charts.sql import literal, quoted

Json = Mapping[str, object]

_MARKS = {
    "point": "point",
    "circle": "point",
    "square": "point",
    "line": "line",
    "trail": "line",
    "area": "area",
    "bar": "bar",
    "rect": "rect",
    "tick": "tick",
    "rule": "rule",
    "text": "text",
    "boxplot": "box",
    "errorbar": "errorbar",
    "errorband": "errorband",
}
_CHANNELS = ("x", "y", "x2", "y2", "color", "fill", "stroke", "size", "shape", "opacity", "text", "detail", "order")
_IGNORED_CHANNELS = ("tooltip", "key", "description", "href", "url", "strokeWidth", "strokeDash")
_FACETS = {"row": "y", "column": "x", "facet": "wrap"}
_FUNCTIONS = {
    "count": "count",
    "valid": "count",
    "sum": "sum",
    "mean": "mean",
    "average": "mean",
    "median": "median",
    "min": "min",
    "max": "max",
    "distinct": "distinct",
    "stdev": "stddev",
    "variance": "variance",
}
_UNITS = {
    "year": "year",
    "yearquarter": "quarter",
    "yearmonth": "month",
    "yearmonthdate": "day",
    "yearweek": "week",
    "yearmonthdatehours": "hour",
    "yearmonthdatehoursminutes": "minute",
    "yearmonthdatehoursminutesseconds": "second",
}
_TOP = (
    "$schema", "data", "datasets", "mark", "encoding", "layer", "transform", "title", "width", "height", "config",
    "name", "description", "background", "padding", "autosize", "usermeta", "params", "view", "resolve",
)  # fmt: skip
_FIELD = (
    "field", "type", "aggregate", "bin", "timeUnit", "scale", "axis", "legend", "title", "stack", "sort", "value",
    "datum", "band", "bandPosition", "header", "impute", "condition", "format", "columns",
)  # fmt: skip
_SCALES = tuple(name for name, scale in SCALES.items() if scale.traits.vega == name)
_INTERVALS = {"ci": "ci", "stderr": "stderr", "stdev": "stdev", "iqr": "iqr"}


def is_vegalite(json: Json) -> bool:
    """Return whether the JSON is Vega-Lite rather than the grammar."""
    if "$schema" in json or "mark" in json or "encoding" in json:
        return True
    layers = json.get("layer")
    return isinstance(layers, list) and any(isinstance(each, Mapping) and "mark" in each for each in layers)


def from_vegalite(json: Json) -> dict[str, object]:
    """Return the same chart in the grammar, or raise an error that names what the grammar does not have."""
    for name in json:
        if name not in _TOP:
            raise _outside(str(name), f"{name} is not in the grammar", "Make one chart for each view.")
    made = _ChartParts()
    if "layer" in json:
        layers = cast("list[Json]", json["layer"])
        for number, each in enumerate(layers):
            inherited = cast(Json, json.get("encoding", {}))
            both = {**each, "encoding": {**inherited, **cast(Json, each.get("encoding", {}))}}
            made.layer(both, f"layer[{number}].", json.get("transform"))
    else:
        made.layer(json, "", None)
    return made.json(json)


class _ChartParts:
    """The layers, facet and scales collected so far."""

    def __init__(self) -> None:
        self.layers: list[dict[str, object]] = []
        self.facet: dict[str, object] = {}
        self.scales: dict[str, dict[str, object]] = {}

    def json(self, given: Json) -> dict[str, object]:
        found: dict[str, object] = {"layer": self.layers}
        if self.facet:
            found["facet"] = self.facet
        if self.scales:
            found["scale"] = self.scales
        title = given.get("title")
        if isinstance(title, str | Mapping):
            text = title if isinstance(title, str) else title.get("text")
            found |= {"title": text} if isinstance(text, str) else {}
        for name in ("width", "height"):
            if isinstance(given.get(name), int):
                found[name] = given[name]
        return found

    def layer(self, json: Json, path: str, above: object) -> None:
        """Translate one mark with its encoding."""
        mark = json.get("mark")
        kind = mark.get("type") if isinstance(mark, Mapping) else mark
        if not isinstance(kind, str) or kind not in _MARKS:
            raise _outside(f"{path}mark", f"the mark {kind} is not in the grammar", near(kind, _MARKS, "Marks"))
        layer: dict[str, object] = {"geom": _style(_MARKS[kind], mark)}
        where = [*_filters(above, "transform"), *_filters(json.get("transform"), f"{path}transform")]
        if where:
            layer["data"] = {"where": " and ".join(where)}
        encoding = cast(Json, json.get("encoding", {}))
        read = _Encoding(encoding, f"{path}encoding", self)
        layer["aes"] = read.aes
        stats = read.stats(kind, mark)
        # Without a stat, Vega-Lite draws the rows, while whence would choose a stat.
        layer["stat"] = stats or ["identity"]
        if kind in ("bar", "area") and read.pos is not None:
            layer["pos"] = read.pos
        elif kind in ("point", "circle", "square", "line", "tick", "rule", "text"):
            layer["pos"] = "identity"
        self.layers.append(layer)


class _Encoding:
    """The translated channels of one layer."""

    def __init__(self, encoding: Json, path: str, made: _ChartParts) -> None:
        self.aes: dict[str, object] = {}
        self.pos: object = None
        self._bins: dict[str, dict[str, object]] = {}
        self._functions: dict[str, tuple[str, str]] = {}
        self._sort: tuple[str, bool] | None = None
        self._path = path
        for name, each in encoding.items():
            if name in _IGNORED_CHANNELS:
                continue
            place = f"{path}.{name}"
            if name in ("xOffset", "yOffset"):
                self.pos = "dodge"
                continue
            if name not in (*_CHANNELS, *_FACETS):
                raise _outside(place, f"the channel {name} is not in the grammar", near(name, _CHANNELS, "Channels"))
            if not isinstance(each, Mapping):
                raise _outside(place, f"one field is needed, not {each!r}")
            for key in each:
                if key not in _FIELD:
                    raise _outside(f"{place}.{key}", f"{key} is not in the grammar")
            if name in _FACETS:
                made.facet[_FACETS[name]] = self._field(each, place)
                if isinstance(each.get("columns"), int):
                    made.facet["columns"] = each["columns"]
            else:
                self._channel({"fill": "color", "stroke": "color"}.get(name, name), each, place, made)

    def _channel(self, name: str, each: Json, place: str, made: _ChartParts) -> None:
        if "value" in each or "datum" in each:
            self.aes[name] = {"value": each.get("value", each.get("datum"))}
            return
        for key, hint in (("condition", ""), ("impute", "Use the lens impute before the chart.")):
            if each.get(key):
                raise _outside(f"{place}.{key}", f"{key} is not in the grammar", hint)
        function = each.get("aggregate")
        if function is not None:
            if not isinstance(function, str) or function not in _FUNCTIONS:
                raise _outside(f"{place}.aggregate", f"{function!r} is not in the grammar", near(function, _FUNCTIONS))
            self._functions[name] = (_FUNCTIONS[function], place)
        if function != "count":
            self.aes[name] = self._field(each, place)
        self._binning(name, each, place)
        if "stack" in each:
            self.pos = {"zero": "stack", True: "stack", "normalize": "fill", None: "identity", False: "identity"}.get(
                cast(str, each["stack"])
            )
            if self.pos is None:
                raise _outside(f"{place}.stack", f"{each['stack']!r} is not in the grammar")
        self._scale(name, each, place, made)

    def _binning(self, name: str, each: Json, place: str) -> None:
        if each.get("bin"):
            options = each["bin"] if isinstance(each["bin"], Mapping) else {}
            for key in options:
                if key not in ("maxbins", "step"):
                    raise _outside(f"{place}.bin.{key}", f"the option {key} of bin is not in the grammar")
            self._bins[name] = (
                # 10 is Vega-Lite's default for x and y.
                {"step": options["step"]} if "step" in options else {"maxbins": options.get("maxbins", 10)}
            )
        if each.get("timeUnit"):
            unit = str(each["timeUnit"]).removeprefix("utc")
            if unit not in _UNITS:
                raise _outside(
                    f"{place}.timeUnit", f"the unit {unit} is not in the grammar", near(unit, _UNITS, "Units")
                )
            self._bins[name] = {"unit": _UNITS[unit]}

    def _field(self, each: Json, place: str) -> object:
        field = each.get("field")
        if not isinstance(field, str):
            raise _outside(f"{place}.field", f"a column is needed, not {field!r}")
        # Vega-Lite escapes dots and brackets, which would otherwise mean nested fields.
        column = field.replace("\\.", ".").replace("\\[", "[").replace("\\]", "]")
        is_told_apart = each.get("type") in ("nominal", "ordinal") and not each.get("timeUnit")
        if is_told_apart and not each.get("aggregate"):
            # Numbers that only tell things apart are text to the grammar.
            return {"sql": f"cast({quoted(column)} as string)", "title": str(each.get("title") or column)}
        title = each.get("title")
        return {"column": column, "title": title} if isinstance(title, str) else column

    def _scale(self, name: str, each: Json, place: str, made: _ChartParts) -> None:
        given = each.get("scale")
        found: dict[str, object] = {}
        if isinstance(given, Mapping):
            kind = given.get("type")
            if kind is not None and kind not in _SCALES:
                raise _outside(f"{place}.scale.type", f"the scale {kind} is not in the grammar", near(kind, _SCALES))
            wanted = (
                "type",
                "domain",
                "range",
                "scheme",
                "reverse",
                "nice",
                "zero",
                "clamp",
                "base",
                "exponent",
                "constant",
            )
            found = {key: value for key, value in given.items() if key in wanted and isinstance(value, _plain(key))}
        axis = each.get("axis") or each.get("legend")
        if isinstance(axis, Mapping):
            found |= {key: axis[key] for key in ("title", "format") if isinstance(axis.get(key), str)}
        if isinstance(each.get("title"), str):
            found["title"] = each["title"]
        if found and name in ("x", "y", "color", "size", "shape", "opacity"):
            made.scales[name] = {**made.scales.get(name, {}), **found}

    def stats(self, kind: str, mark: object) -> list[object]:
        """Return the stats that the aggregates and bins of the channels ask for."""
        options = mark if isinstance(mark, Mapping) else {}
        if kind == "boxplot":
            return ["box"]
        if kind in ("errorbar", "errorband"):
            # stderr is Vega-Lite's default, while whence's own is ci.
            extent = str(options.get("extent", "stderr"))
            if extent not in _INTERVALS:
                raise _outside("mark.extent", f"the extent {extent} is not in the grammar", near(extent, _INTERVALS))
            return [{"type": "interval", "extent": extent}]
        if len(self._functions) > 1:
            second = list(self._functions.values())[1][1]
            raise _outside(f"{second}.aggregate", "one aggregate for each layer is what the grammar has")
        return self._binned()

    def _binned(self) -> list[object]:
        name, (function, place) = next(iter(self._functions.items()), ("", ("", "")))
        if not self._bins:
            if not function:
                return []
            if function == "count" and name not in self.aes:
                return [{"type": "count", "as": "size"}] if name == "size" else ["count"]
            return [{"type": function, "of": "y" if name == "x" else name}]
        if not function:
            raise _outside(self._path, "bins without an aggregate are not in the grammar", "Aggregate another channel.")
        if set(self._bins) == {"x", "y"}:
            if function != "count" and name != "color":
                raise _outside(f"{place}.aggregate", "of bins both ways only colour shows an aggregate")
            most = {key: value for side in self._bins.values() for key, value in side.items() if key == "maxbins"}
            return [{"type": "bin2d", **most, **({} if function == "count" else {"fun": function})}]
        (side, options) = next(iter(self._bins.items()))
        if side not in ("x", "y") or name not in ("x", "y"):
            raise _outside(
                f"{self._path}.{side}.bin", "bins along x or y of an aggregate along the other are in the grammar"
            )
        return [{"type": "bin", **options, **({} if function == "count" else {"fun": function})}]


def _plain(key: str) -> type | tuple[type, ...]:
    return list if key in ("domain", "range") else (str, int, float, bool)


def _style(geom: str, mark: object) -> object:
    if not isinstance(mark, Mapping):
        return geom
    names = {"color": "color", "opacity": "opacity", "size": "size", "strokeWidth": "width"}
    style = {new: mark[old] for old, new in names.items() if isinstance(mark.get(old), str | int | float)}
    return {"type": geom, **style} if style else geom


def _filters(transforms: object, path: str) -> list[str]:
    """Return filters on one field as SQL conditions. Every other transform is refused."""
    if transforms is None:
        return []
    found = []
    for number, each in enumerate(cast("list[Json]", transforms)):
        place = f"{path}[{number}]"
        test = each.get("filter") if set(each) == {"filter"} else None
        if test is None:
            kind = next(iter(each), "nothing")
            raise _outside(
                f"{place}.{kind}", f"the transform {kind} is not in the grammar", "Make a dataset with ws.sql."
            )
        if not isinstance(test, Mapping) or not isinstance(test.get("field"), str):
            raise _outside(
                f"{place}.filter", "only filters on one field are in the grammar", "Make a dataset with ws.sql."
            )
        found.append(_condition(test, f"{place}.filter"))
    return found


_COMPARISONS = {"equal": "=", "lt": "<", "lte": "<=", "gt": ">", "gte": ">="}


def _condition(test: Json, place: str) -> str:
    field = quoted(str(test["field"]))
    for name, sign in _COMPARISONS.items():
        if name in test:
            return f"{field} {sign} {literal(test[name])}"
    if isinstance(test.get("oneOf"), list):
        return f"{field} in ({', '.join(map(literal, cast(list[object], test['oneOf'])))})"
    if isinstance(test.get("range"), list):
        low, high = cast(list[object], test["range"])
        return f"{field} between {literal(low)} and {literal(high)}"
    raise _outside(place, f"the filter {dict(test)!r} is not in the grammar")


def _outside(path: str, sentence: str, hint: str = "") -> Exception:
    return wrong(path, sentence, hint)
