"""The registry of stats, one line each. Names of functions, such as `mean`, are short for a summary."""

from __future__ import annotations

from collections.abc import Mapping

from whence.charts.aggregates import FUNCTIONS
from whence.charts.operator import Call, find
from whence.charts.stats.bin import Bin
from whence.charts.stats.bin2d import Bin2d
from whence.charts.stats.box import Box, Outliers
from whence.charts.stats.contour import Contour
from whence.charts.stats.count import Count
from whence.charts.stats.cumulative import Cumulative
from whence.charts.stats.density import Density
from whence.charts.stats.ecdf import Ecdf
from whence.charts.stats.hexbin import Hexbin
from whence.charts.stats.identity import Identity
from whence.charts.stats.interval import Interval
from whence.charts.stats.level import Level
from whence.charts.stats.m4 import M4
from whence.charts.stats.sample import Sample
from whence.charts.stats.smooth import Smooth
from whence.charts.stats.sort import Sort
from whence.charts.stats.stat import Stat
from whence.charts.stats.summary import Summary
from whence.charts.stats.total import Total
from whence.charts.stats.window import Window

STATS: Mapping[str, Stat] = {
    stat.name: stat
    for stat in (
        Identity(),
        Count(),
        Summary(),
        Bin(),
        Bin2d(),
        Hexbin(),
        Box(),
        Outliers(),
        Density(),
        Contour(),
        Ecdf(),
        Cumulative(),
        Sort(),
        Smooth(),
        Interval(),
        M4(),
        Window(),
        Sample(),
        Total(),
        Level(),
    )
}

SHORT_NAMES = tuple(name for name in FUNCTIONS if name != "count")
"""Functions that stand for a summary with that function."""
ALIASES = {
    "histogram": "bin",
    "boxplot": "box",
    "loess": "smooth",
    "regression": "smooth",
    "avg": "mean",
    "average": "mean",
}


def full(call: Call) -> Call:
    """Return the call with its full name: `mean` is the summary whose function is the mean."""
    name = {"avg": "mean", "average": "mean"}.get(call.name, call.name)
    if name in SHORT_NAMES:
        return Call("summary", {"fun": name, **call.given}, call.path)
    # As an alias it would lose its method: smooth is linear by default.
    if name == "loess":
        return Call("smooth", {"method": "loess", **call.given}, call.path)
    return Call(ALIASES.get(name, name), call.given, call.path)


def find_stat(call: Call) -> Stat:
    """Return the stat of a call, whose name must be the full one (see `full`)."""
    return find(STATS, {**ALIASES, **{name: name for name in SHORT_NAMES}}, call, "stat")
