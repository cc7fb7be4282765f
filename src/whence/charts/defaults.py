"""What a chart does where its specification says nothing: chosen by the kinds of the columns."""

from __future__ import annotations

from collections.abc import Mapping

from whence.charts.geoms.registry import find_geom
from whence.charts.kinds import Kind
from whence.charts.operator import Call

_GEOM_OF_STAT = {
    "count": "bar",
    "bin": "bar",
    "bin2d": "cell",
    "box": "box",
    "outliers": "point",
    "density": "area",
    "ecdf": "line",
    "cumulative": "line",
    "sort": "line",
    "smooth": "errorband",
    "interval": "errorbar",
    "m4": "line",
    "window": "line",
    "sample": "point",
}


def default_geom(stats: tuple[Call, ...] | None, kinds: Mapping[str, Kind], path: str) -> Call:
    """The geom for a stat, or for columns alone."""
    if stats:
        last = stats[-1]
        if last.name in _GEOM_OF_STAT:
            if last.name == "smooth" and last.given.get("method") == "loess":
                return Call("line", {}, path)
            if last.name == "count" and {"x", "y"} <= kinds.keys():
                return Call("cell", {}, path)
            return Call(_GEOM_OF_STAT[last.name], {"interpolate": "step-after"} if last.name == "ecdf" else {}, path)
        return Call("line" if kinds.get("x") in ("number", "time") else _summarised(kinds), {}, path)
    x, y = kinds.get("x"), kinds.get("y")
    if x is None or y is None:
        return Call("bar", {}, path)
    if x == "text" and y == "text":
        return Call("cell", {}, path)
    if "text" in (x, y):
        return Call("bar", {}, path)
    return Call("line" if x == "time" else "point", {}, path)


def _summarised(kinds: Mapping[str, Kind]) -> str:
    return "cell" if kinds.get("x") == kinds.get("y") == "text" else "bar"


def default_stats(geom: Call, kinds: Mapping[str, Kind], *, is_open: bool) -> tuple[Call, ...]:
    """What is computed for a geom; where the geom was left open, too, bars show means and lines show sums by time."""
    name = find_geom(geom).default_stat(kinds)
    if is_open and geom.name == "bar" and name == "identity":
        return (Call("summary", {"fun": "mean"}, geom.path),)
    if name == "identity":
        return ()
    if name == "mean":
        return (Call("summary", {"fun": "mean", "of": "color"}, geom.path),)
    return (Call(name, {}, geom.path),)
