"""The outlines of countries: where each lies, and how they get into a picture that must stand alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import accumulate
from typing import Any

from whence.charts.world.projections import Box

Json = dict[str, object]

NAME = "world"
"""The name of the data set with the outlines."""
OUTLINES: Json = {"name": NAME, "format": {"type": "topojson", "feature": "countries"}}
"""The data of a layer that draws outlines."""
KEY = "properties.name"
"""The field of an outline that names it."""


def with_outlines(vega: Mapping[str, object]) -> Json:
    """Return the specification with the outlines inside, if it shows any and they are not there yet.

    A page that draws many charts brings the outlines itself, so that no chart has to carry them.
    """
    datasets = vega.get("datasets")
    if not isinstance(datasets, dict) or NAME in datasets or not any(_draws(vega)):
        return dict(vega)
    return {**vega, "datasets": {**datasets, NAME: topology()}}


def _draws(view: object) -> Iterator[bool]:
    """Yield whether each view that is drawn shows outlines."""
    if isinstance(view, Mapping):
        data = view.get("data")
        yield isinstance(data, Mapping) and data.get("name") == NAME
        for part in ("layer", "concat", "hconcat", "vconcat"):
            for each in view.get(part, ()):
                yield from _draws(each)


@cache
def topology() -> Any:  # noqa: ANN401 - JSON
    """Return the outlines of all countries as TopoJSON, in which neighbours share their borders."""
    return json.loads(files("whence.charts.world").joinpath("countries-110m.json").read_text(encoding="utf-8"))


@cache
def boxes() -> Mapping[str, Box]:
    """Return, for each outline, where its largest part lies: France is in Europe, whatever else belongs to it."""
    world = topology()
    arcs = [list(_opened(arc, world["transform"])) for arc in world["arcs"]]
    found = {}
    for each in world["objects"]["countries"]["geometries"]:
        polygons = [each["arcs"]] if each["type"] == "Polygon" else each["arcs"]
        rings = [[place for arc in polygon[0] for place in _arc(arcs, arc)] for polygon in polygons]
        found[each["properties"]["name"]] = max(map(_box, rings), key=_size)
    return found


def _opened(arc: list[list[int]], transform: Mapping[str, list[float]]) -> Iterator[tuple[float, float]]:
    """Yield the places of an arc in degrees. Each is written as whole steps from the one before it."""
    (wide, high), (left, low) = transform["scale"], transform["translate"]
    for x, y in accumulate(arc, lambda one, step: [one[0] + step[0], one[1] + step[1]]):
        yield left + wide * x, low + high * y


def _arc(arcs: list[list[tuple[float, float]]], number: int) -> list[tuple[float, float]]:
    """Return the places of an arc. A number below zero means that it is followed backwards."""
    return arcs[number] if number >= 0 else arcs[~number][::-1]


def _box(ring: list[tuple[float, float]]) -> Box:
    across, up = zip(*ring, strict=True)
    return min(across), min(up), max(across), max(up)


def _size(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])
