"""The chart grammar as Python: eight small functions whose results add up to the JSON specification."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Clause:
    """Part of a chart. Clauses add up with `+`, and layers are drawn one after the other.

    >>> (aes(x="day") + layer(geom("line")) + layer(geom("point"))).json
    {'aes': {'x': 'day'}, 'layer': [{'geom': 'line'}, {'geom': 'point'}]}
    """

    json: Mapping[str, object] = field(default_factory=dict)

    def __add__(self, other: Clause) -> Clause:
        both = {**self.json}
        for key, value in other.json.items():
            known = both.get(key)
            if key in ("aes", "scale") and isinstance(known, dict) and isinstance(value, dict):
                both[key] = {**known, **value}
            elif key in ("layer", "stat") and known is not None:
                both[key] = [*_listed(known), *_listed(value)]
            else:
                both[key] = value
        return Clause(both)


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _operator(key: str, name: str, options: Mapping[str, object]) -> Clause:
    return Clause({key: {"type": name, **options} if options else name})


def data(name: str | None = None, where: str | None = None) -> Clause:
    """Choose the rows: another dataset, or those that meet a SQL condition."""
    return Clause({"data": {key: value for key, value in (("name", name), ("where", where)) if value is not None}})


def aes(**channels: object) -> Clause:
    """Map columns to aesthetics, such as x, y and color."""
    return Clause({"aes": dict(channels)})


def facet(**sides: object) -> Clause:
    """Draw small multiples by x, y or wrap."""
    return Clause({"facet": dict(sides)})


def stat(name: str, **options: object) -> Clause:
    """Compute a statistic before drawing. Several statistics run one after the other."""
    return _operator("stat", name, options)


def scale(channel: str, name: str | None = None, **options: object) -> Clause:
    """Choose how values of one aesthetic become places, sizes or colours.

    >>> scale("y", "log").json
    {'scale': {'y': {'type': 'log'}}}
    """
    return Clause({"scale": {channel: {**({} if name is None else {"type": name}), **options}}})


def geom(name: str, **options: object) -> Clause:
    """Choose the shape that is drawn for each mark."""
    return _operator("geom", name, options)


def pos(name: str, **options: object) -> Clause:
    """Choose where marks go so that they do not hide each other."""
    return _operator("pos", name, options)


def layer(*clauses: Clause) -> Clause:
    """Draw a layer over the layers before it."""
    json: dict[str, object] = {}
    for clause in clauses:
        json = dict((Clause(json) + clause).json)
    return Clause({"layer": [json]})
