"""Translate a chart of the grammar into Vega-Lite that computes the same marks from the rows, where Vega-Lite can.

`vegalite.py` knows the other direction. A translation counts only if it leads back to the same query and the same look.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from whence.charts.compile import Branch, Compiled
from whence.charts.kinds import Kind
from whence.charts.operator import Call
from whence.charts.parse import parse
from whence.charts.spec import Channel, Data, Layer, Spec
from whence.charts.stats.registry import full
from whence.charts.vegalite import from_vegalite
from whence.model.errors import WhenceError

Json = dict[str, object]

_MARKS = ("point", "line", "area", "bar", "rect", "tick", "text")
_FUNCTIONS = {
    "stddev": "stdev",
    **{name: name for name in ("sum", "mean", "median", "min", "max", "distinct", "variance")},
}
_UNITS = {
    "year": "year",
    "quarter": "yearquarter",
    "month": "yearmonth",
    "week": "yearweek",
    "day": "yearmonthdate",
    "hour": "yearmonthdatehours",
}
_STACKS: Mapping[str, object] = {"stack": "zero", "fill": "normalize", "identity": None}
_SIDES = {"facet_x": "column", "facet_y": "row", "facet": "facet"}
_TYPES: Mapping[Kind, str] = {"number": "quantitative", "time": "temporal", "text": "nominal"}


def to_vegalite(spec: Spec, compiled: Compiled, compile_again: Callable[[Spec], Compiled]) -> Json | None:
    """Return the chart as Vega-Lite over its rows, or None if Vega-Lite would not compute the same marks."""
    is_plain = (
        not any(each.axis == "right" for each in spec.layers)
        and len(compiled.branches) == len(spec.layers)
        and not any(each.panel for each in spec.layers)
    )
    if compiled.notes or not is_plain:
        return None
    # Where the chart names no stat, the first candidate that leads back to the same query is the one it has.
    for made in _candidates(spec, compiled):
        if _leads_back(made, spec, compiled, compile_again):
            return _with_types(made, compiled)
    return None


def _candidates(spec: Spec, compiled: Compiled) -> Iterator[Json]:
    branches = compiled.branches
    choices = [list(_units(layer, branch)) for layer, branch in zip(spec.layers, branches, strict=True)]
    if not all(choices):
        return
    for place in range(max(map(len, choices))):
        units = [each[min(place, len(each) - 1)] for each in choices]
        for unit in units:
            for name, side in spec.facet.sides.items():
                if side.channel is None or side.channel.column is None:
                    return
                columns = {} if spec.facet.columns is None else {"columns": spec.facet.columns}
                unit["encoding"][_SIDES[name]] = {"field": _escaped(side.channel.column), **columns}  # type: ignore[index]
        made = units[0] if len(units) == 1 else {"layer": units}
        look = {"title": spec.look.title, "width": spec.look.width, "height": spec.look.height}
        yield {**{name: each for name, each in look.items() if each is not None}, **made}


def _units(layer: Layer, branch: Branch) -> Iterator[Json]:
    """Yield a layer as a mark with its encoding, once for each stat that it may have."""
    geom = branch.geom
    if geom.name not in _MARKS or geom.given or branch.pos.given or layer.data != Data(path=layer.data.path):
        return
    if any(each.sql is not None for each in layer.aes.values()):
        return
    stats = [layer.stats] if layer.stats is not None else [(), (Call("count", {}, ""),), (full(Call("sum", {}, "")),)]
    for listed in stats:
        encoding = {name: _channel(each) for name, each in layer.aes.items()}
        if _add_stats(encoding, tuple(call for call in listed if call.name != "identity"), branch):
            if geom.name in ("bar", "area") and branch.pos.name in _STACKS:
                encoding["x" if branch.is_horizontal else "y"]["stack"] = _STACKS[branch.pos.name]
            elif branch.pos.name == "dodge" and "color" in encoding:
                encoding["yOffset" if branch.is_horizontal else "xOffset"] = dict(encoding["color"])
            elif branch.pos.name != "identity":
                return
            yield {"mark": geom.name, "encoding": encoding}


def _channel(channel: Channel) -> Json:
    if channel.column is None:
        return {"value": channel.value}
    title = {} if channel.title is None else {"title": channel.title}
    return {"field": _escaped(channel.column), **title}


def _escaped(column: str) -> str:
    """Return a column as Vega-Lite names it: dots and brackets would mean fields within fields."""
    return column.replace(".", "\\.").replace("[", "\\[").replace("]", "\\]")


def _add_stats(encoding: dict[str, Json], stats: tuple[Call, ...], branch: Branch) -> bool:
    """Write the stats of a layer as aggregates and bins of its channels. Return whether there is a way."""
    key, measure = ("y", "x") if branch.is_horizontal else ("x", "y")
    if not stats:
        return measure in encoding
    if len(stats) > 1:
        return False
    call = stats[0]
    if call.name == "count" and not call.given and measure not in encoding:
        encoding[measure] = {"aggregate": "count"}
        return True
    if call.name == "summary" and call.given.keys() <= {"fun"}:
        return _aggregate(encoding, measure, call.given.get("fun", "mean"))
    if call.name == "bin" and key in encoding:
        options = {name: each for name, each in call.given.items() if name != "fun"}
        if set(options) == {"unit"} and options["unit"] in _UNITS:
            encoding[key]["timeUnit"] = _UNITS[str(options["unit"])]
        elif len(options) == 1 and options.keys() <= {"maxbins", "step"}:
            encoding[key]["bin"] = options
        else:
            return False
        if "fun" not in call.given and measure not in encoding:
            encoding[measure] = {"aggregate": "count"}
            return True
        return _aggregate(encoding, measure, call.given.get("fun"))
    return False


def _aggregate(encoding: dict[str, Json], measure: str, function: object) -> bool:
    if function not in _FUNCTIONS or measure not in encoding:
        return False
    encoding[measure]["aggregate"] = _FUNCTIONS[str(function)]
    return True


def _leads_back(made: Json, spec: Spec, compiled: Compiled, compile_again: Callable[[Spec], Compiled]) -> bool:
    try:
        read = parse(from_vegalite(made))
        again = compile_again(read)
    except WhenceError:
        return False
    same_look = (read.facet, dict(read.scales), read.look) == (spec.facet, dict(spec.scales), spec.look)
    return (
        same_look
        and again.sql == compiled.sql
        and list(map(_shape, again.branches)) == list(map(_shape, compiled.branches))
    )


def _shape(branch: Branch) -> object:
    called = [(call.name, dict(call.given)) for call in (branch.geom, branch.pos)]
    return called, branch.is_horizontal, dict(branch.constants)


def _with_types(made: Json, compiled: Compiled) -> Json:
    """Return the same with the type of each field, which Vega-Lite does not learn from the data."""
    units: list[Json] = made.get("layer", [made])  # type: ignore[assignment]
    for unit, branch in zip(units, compiled.branches, strict=True):
        encoding: dict[str, Json] = unit["encoding"]  # type: ignore[assignment]
        for name, each in encoding.items():
            source = "color" if name.endswith("Offset") else {v: k for k, v in _SIDES.items()}.get(name, name)
            if "field" in each:
                kind = branch.relation.kinds.get(source, "text")
                # A value counted or averaged is a number, whatever its column holds.
                each["type"] = "quantitative" if "aggregate" in each else _TYPES[kind]
    return made
