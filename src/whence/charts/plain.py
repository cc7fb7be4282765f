"""Write the six plain charts of a form (bar, line, area, scatter, histogram, cdf) in the grammar."""

from __future__ import annotations

import re
from collections.abc import Sequence

from whence.charts.errors import wrong

PLAIN = ("bar", "line", "area", "scatter", "histogram", "cdf")
"""The names of the plain charts."""
_FUNCTIONS = {
    "sum": "sum",
    "avg": "mean",
    "mean": "mean",
    "min": "min",
    "max": "max",
    "median": "median",
    "stddev": "stddev",
    "variance": "variance",
}
"""Aggregates that `y` may name, with the stat of the grammar for each."""
_CALL = re.compile(r"\s*(\w+)\s*\((.*)\)\s*", re.DOTALL)
_DISTINCT = re.compile(r"\s*distinct\b(.*)", re.DOTALL | re.IGNORECASE)


def plain_chart(
    chart: str, x: str, y: str | None, series: str | None, bins: int, columns: Sequence[str]
) -> dict[str, object]:
    """Return the specification of a plain chart. `y` is a column, or an aggregate in SQL.

    >>> plain_chart("bar", "shop", "avg(price)", None, 20, ["shop", "price"])
    {'aes': {'x': 'shop', 'y': 'price'}, 'stat': 'mean', 'geom': 'bar'}
    """
    aes: dict[str, object] = {"x": x, "color": series} if series else {"x": x}
    match chart:
        case "histogram":
            return {"aes": aes, "stat": {"type": "bin", "bins": bins}, "geom": "histogram"}
        case "cdf":
            return {"aes": aes, "stat": "ecdf", "geom": {"type": "line", "interpolate": "step-after"}}
        case "scatter":
            if not y:
                raise wrong("y", "points need a column to go up by")
            return {"aes": aes | {"y": y}, "geom": "point"}
    value, stat = _summed(y, columns)
    return {"aes": aes | value, "stat": stat, "geom": chart}


def _summed(y: str | None, columns: Sequence[str]) -> tuple[dict[str, object], str]:
    """Return the y aesthetic, and the stat that makes one value of the rows at one x."""
    if not y:
        return {}, "count"
    if y.lower() in (column.lower() for column in columns):
        return {"y": y}, "sum"
    called = _CALL.fullmatch(y)
    function, inner = ("", "") if called is None else (called[1].lower(), called[2].strip())
    distinct = _DISTINCT.fullmatch(inner)
    if function == "count" and distinct is not None:
        return {"y": _channel(distinct[1].strip(), columns)}, "distinct"
    if function == "count" and inner in ("*", "1"):
        return {}, "count"
    if function == "count":
        # The stat count counts rows, while SQL's count(x) leaves out NULLs.
        return {"y": {"sql": f"int(({inner}) is not null)"}}, "sum"
    if function in _FUNCTIONS and _is_one_call(inner):
        return {"y": _channel(inner, columns)}, _FUNCTIONS[function]
    known = ", ".join(f"{each}(...)" for each in (*_FUNCTIONS, "count"))
    raise wrong("y", f"{y} is neither a column nor one of {known}", "Compute it in an SQL cell and draw its column.")


def _channel(text: str, columns: Sequence[str]) -> object:
    return text if text.lower() in (column.lower() for column in columns) else {"sql": text}


def _is_one_call(inner: str) -> bool:
    """Return whether the last bracket closes the first, which it does not in `sum(a) / sum(b)`."""
    depth = 0
    for letter in inner:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            return False
    return bool(inner)
