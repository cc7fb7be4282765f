"""The geom of a chart that names none, chosen by its stat or by the kinds of its columns."""

from __future__ import annotations

from collections.abc import Mapping

from whence.charts.kinds import Kind
from whence.charts.operator import Call
from whence.charts.stats.registry import find_stat


def default_geom(stats: tuple[Call, ...] | None, kinds: Mapping[str, Kind], path: str) -> Call:
    """Return the geom for the last stat, or without stats for the columns alone."""
    if stats:
        return find_stat(stats[-1]).default_geom(stats[-1], kinds, path)
    x, y = kinds.get("x"), kinds.get("y")
    if x is None or y is None:
        return Call("bar", {}, path)
    if x == "text" and y == "text":
        return Call("cell", {}, path)
    if "text" in (x, y):
        return Call("bar", {}, path)
    return Call("line" if x == "time" else "point", {}, path)
