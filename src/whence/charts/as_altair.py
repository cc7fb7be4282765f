"""Write Vega-Lite as the code that makes the same chart with Altair."""

from __future__ import annotations

import keyword
from collections.abc import Mapping
from pprint import pformat
from typing import cast

Json = Mapping[str, object]

_WIDE = 100
"""The most characters of a line of code, where it can be broken."""
_COMPOSED = {"layer": "layer", "concat": "concat", "hconcat": "hconcat", "vconcat": "vconcat"}
_OF_VIEW = ("columns", "spacing", "bounds")
_TYPE_LETTERS = {"quantitative": "Q", "temporal": "T", "nominal": "N", "ordinal": "O"}
_NOT_WRITTEN = ("$schema", "config", "datasets", "data", "resolve", "mark", "encoding", *_COMPOSED, *_OF_VIEW)


def write_altair(json: Json, data: str) -> str:
    """Return Altair code of a chart whose rows are the value of an expression.

    >>> print(write_altair({"mark": "bar", "encoding": {"x": {"field": "kind", "type": "nominal"}}}, "pets"))
    alt.Chart(pets).mark_bar().encode(
        x=alt.X("kind:N"),
    )
    """
    composed = next((name for name in _COMPOSED if name in json), None)
    named = json.get("data")
    own = f"alt.NamedData({named['name']!r})" if isinstance(named, Mapping) and "name" in named else data
    code = _mark(json, own) if composed is None else _views(json, composed, data)
    properties = {name: each for name, each in json.items() if name not in _NOT_WRITTEN}
    code += f".properties({_arguments(properties)})" if properties else ""
    resolve = cast("Mapping[str, Json]", json.get("resolve", {}))
    return code + "".join(f".resolve_{part}({_arguments(each)})" for part, each in resolve.items())


def _views(json: Json, composed: str, data: str) -> str:
    parts = [_indented(write_altair(each, data)) + "," for each in cast("list[Json]", json[composed])]
    options = [f"    {name}={json[name]!r}," for name in _OF_VIEW if name in json]
    return f"alt.{composed}(\n" + "\n".join([*parts, *options]) + "\n)"


def _mark(json: Json, data: str) -> str:
    mark = json.get("mark", "point")
    options = dict(mark) if isinstance(mark, Mapping) else {"type": mark}
    code = f"alt.Chart({data}).mark_{options.pop('type')}({_arguments(options)})"
    encoding = cast("Mapping[str, object]", json.get("encoding", {}))
    if not encoding:
        return code
    lines = [f"    {name}={_channels(name, each)}," for name, each in encoding.items()]
    return f"{code}.encode(\n" + "\n".join(lines) + "\n)"


def _channels(name: str, given: object) -> str:
    if isinstance(given, list):
        return "[" + ", ".join(_channel(name, each) for each in given) + "]"
    return _channel(name, cast(Json, given))


def _channel(name: str, given: Json) -> str:
    kind = next((part for part in ("value", "datum") if part in given), "")
    made = f"alt.{name[0].upper()}{name[1:]}{kind.capitalize()}"
    rest = {key: each for key, each in given.items() if key != kind}
    if kind:
        return f"{made}({', '.join([_literal(given[kind]), *([_arguments(rest)] if rest else [])])})"
    short = _shorthand(rest)
    if short is None:
        return f"{made}({_arguments(rest)})"
    rest = {key: each for key, each in rest.items() if key not in ("field", "type", "aggregate")}
    return f"{made}({', '.join([repr(short).replace(chr(39), chr(34)), *([_arguments(rest)] if rest else [])])})"


def _shorthand(given: Json) -> str | None:
    """Return field, aggregate and type as Altair's short form, or None if a name would be read as something else."""
    field, function = given.get("field"), given.get("aggregate")
    if field is None:
        return (
            f"{function}():Q"
            if isinstance(function, str) and given.get("type", "quantitative") == "quantitative"
            else None
        )
    letter = _TYPE_LETTERS.get(str(given.get("type")))
    if letter is None or not str(field).replace("_", "").isalnum() or not str(field).isascii():
        return None
    return f"{function}({field}):{letter}" if function else f"{field}:{letter}"


def _arguments(given: Json) -> str:
    if all(name.isidentifier() and not keyword.iskeyword(name) for name in given):
        return ", ".join(f"{name}={_literal(each)}" for name, each in given.items())
    return f"**{_literal(dict(given))}"


def _literal(value: object) -> str:
    """Return a JSON value as Python, with text in double quotes where that is plain."""
    flat = repr(value)
    if isinstance(value, str) and flat[0] == "'" and '"' not in flat and "\\" not in flat:
        return f'"{flat[1:-1]}"'
    return flat if len(flat) <= _WIDE else pformat(value, width=_WIDE, sort_dicts=False, compact=True)


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.split("\n"))
