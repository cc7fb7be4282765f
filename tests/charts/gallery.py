"""One example for each geom, stat, position, scale and facet, and the figures of Ermac (Wu 2015, 6-2 and 6-6)."""

from __future__ import annotations

import random
from datetime import date, timedelta

SCHEMA = (
    "g string, h string, x double, y double, day date, amount double, n int, country string, longitude double, "
    "latitude double"
)
Row = tuple[str, str, float, float, date, float | None, int, str, float, float]
_COUNTRIES = {"au": "FRA", "av": "Germany", "bu": "IT", "bv": "The Gambia", "cu": "716", "cv": "Atlantis"}


def rows(count: int = 240, seed: int = 7) -> list[Row]:
    """Three groups that differ, two halves, a season, a few values missing."""
    chance = random.Random(seed)
    made = []
    for number in range(count):
        group = chance.choice("abc")
        x = chance.gauss("abc".index(group), 1)
        day = date(2012, 2, 1) + timedelta(days=chance.randrange(280))
        amount = None if number % 41 == 5 else abs(chance.gauss(50, 20)) + day.month
        half, y, n = chance.choice("uv"), 2 * x + chance.gauss(0, 1), chance.randrange(8)
        country = _COUNTRIES[group + half]
        made.append((group, half, x, y, day, amount, n, country, 20 * x - 10, 30 - 10 * y))
    return made


FIGURE_6_2: dict[str, object] = {
    "aes": {"x": "day", "y": "amount"},
    "layer": [
        {"stat": [{"type": "sort", "on": "x"}, "cumulative"], "geom": "line"},
        {"stat": {"type": "bin", "bins": "VAR1"}, "geom": "rect"},
    ],
    "facet": {"x": "h", "y": {"param": "VAR1", "values": [10, 20]}},
}

GALLERY: dict[str, dict[str, object]] = {
    "figure_6_2": FIGURE_6_2,
    "point": {"aes": {"x": "x", "y": "y", "color": "g", "size": "amount", "shape": "h"}, "geom": "point"},
    "line": {"aes": {"x": "n", "y": "amount", "color": "g"}, "stat": "mean", "geom": "line"},
    "path": {"aes": {"x": "x", "y": "y"}, "geom": "path"},
    "area_stacked": {"aes": {"x": "day", "color": "g"}, "stat": {"type": "bin", "unit": "month"}, "geom": "area"},
    "bar_counted": {"aes": {"x": "g"}, "geom": "bar"},
    "bar_stacked": {"aes": {"x": "g", "y": "amount", "color": "h"}, "stat": "sum", "geom": "bar"},
    "bar_dodged": {"aes": {"x": "g", "y": "amount", "color": "h"}, "stat": "median", "geom": "bar", "pos": "dodge"},
    "bar_filled": {"aes": {"x": "g", "color": "h"}, "geom": "bar", "pos": "fill"},
    "bar_horizontal": {"aes": {"y": "g", "x": "amount"}, "stat": "mean", "geom": "bar"},
    "bar_of_numbers": {"aes": {"x": "n"}, "stat": "count", "geom": "bar"},
    "bar_flipped": {"aes": {"x": "g", "y": "amount"}, "stat": "max", "geom": "bar", "coord": {"flip": True}},
    "histogram": {"aes": {"x": "x"}, "geom": "histogram"},
    "histogram_round": {"aes": {"x": "x", "color": "g"}, "stat": {"type": "bin", "maxbins": 15}, "geom": "bar"},
    "histogram_dodged": {
        "aes": {"x": "x", "color": "g"},
        "stat": {"type": "bin", "bins": 6},
        "geom": "bar",
        "pos": "dodge",
    },
    "rect": {
        "aes": {"x": "day", "y": "amount"},
        "stat": {"type": "bin", "unit": "month", "fun": "mean"},
        "geom": "rect",
    },
    "cell": {"aes": {"x": "g", "y": "h", "color": "amount"}, "geom": "cell"},
    "heat_map": {"aes": {"x": "x", "y": "y"}, "stat": {"type": "bin2d", "bins": 12}, "geom": "cell"},
    "heat_map_totals": {
        "aes": {"x": "x", "y": "y"},
        "stat": {"type": "bin2d", "bins": 12},
        "geom": {"type": "cell", "totals": True},
    },
    "names_totals": {
        "aes": {"x": "n", "y": "g", "color": "amount"},
        "scale": {"x": "band"},
        "stat": {"type": "mean", "of": "color"},
        "geom": {"type": "cell", "totals": True},
    },
    "hexagons": {"aes": {"x": "x", "y": "y"}, "stat": {"type": "hexbin", "bins": 12}},
    "hexagons_of_a_mean": {"aes": {"x": "x", "y": "y", "color": "amount"}, "geom": "hexagon"},
    "pie": {"aes": {"color": "g"}, "geom": "pie"},
    "donut": {"aes": {"color": "h", "y": "amount"}, "geom": {"type": "pie", "inner": 0.6}},
    "rose": {"aes": {"x": "n", "color": "g"}, "geom": "rose"},
    "radial_bar": {"aes": {"x": "g", "y": "amount", "color": "h"}, "geom": "radial_bar"},
    "contours": {"aes": {"x": "x", "y": "y"}, "geom": "contour"},
    "contours_in_panels": {
        "aes": {"x": "x", "y": "y"},
        "stat": {"type": "contour", "levels": 4},
        "geom": {"type": "contour", "filled": False},
        "facet": {"wrap": "g"},
    },
    "contours_of_values": {
        "aes": {"x": {"sql": "round(x)"}, "y": {"sql": "round(y / 2)"}, "color": "amount"},
        "data": {"where": "abs(x - 1) <= 1 and abs(y - 2) <= 4"},
        "stat": {"type": "contour", "at": [20, 50, 55, 60]},
    },
    "map_countries": {"aes": {"x": "country", "color": "amount"}, "geom": "map_country"},
    "map_counted": {"aes": {"x": "country"}, "geom": {"type": "map_country", "extent": "world"}},
    "map_points": {
        "aes": {"x": "longitude", "y": "latitude", "color": "g", "size": "amount"},
        "geom": {"type": "map_point", "projection": "naturalEarth1"},
    },
    "map_panels": {"aes": {"x": "longitude", "y": "latitude"}, "geom": "map_point", "facet": {"wrap": "h"}},
    "map_layers": {
        "aes": {"x": "longitude", "y": "latitude"},
        "layer": [{"geom": "map_point"}, {"data": {"where": "n = 1"}, "geom": {"type": "map_point", "color": "red"}}],
    },
    "radar": {"aes": {"x": "country", "y": "amount", "color": "h"}, "stat": "mean", "geom": "radial_line"},
    "around_a_turn": {
        "aes": {"x": "n", "y": "amount"},
        "stat": "mean",
        "geom": {"type": "radial_line", "turn": 8},
        "facet": {"wrap": "g"},
    },
    "radial_area": {"aes": {"x": "n", "color": "g"}, "stat": "count", "geom": "radial_area"},
    "waterfall": {"aes": {"x": "g", "y": "y"}, "geom": "waterfall"},
    "waterfall_of_numbers": {"aes": {"x": "n", "y": "y"}, "geom": "waterfall"},
    "tick": {"aes": {"x": "amount", "y": "g"}, "geom": "tick"},
    "rule": {
        "aes": {"x": "g", "y": "amount"},
        "layer": [
            {"stat": "mean", "geom": "bar"},
            {"aes": {"x": None, "y": {"value": 60}}, "geom": {"type": "rule", "color": "#b3261e"}},
        ],
    },
    "text": {
        "aes": {"x": "g", "y": "amount"},
        "stat": "mean",
        "layer": [{"geom": "bar"}, {"geom": "text", "pos": {"type": "nudge", "dy": -8}}],
    },
    "box": {"aes": {"x": "g", "y": "y"}, "geom": "box"},
    "box_horizontal": {"aes": {"y": "g", "x": "y"}, "geom": {"type": "box", "outliers": False}},
    "errorbar": {"aes": {"x": "g", "y": "y"}, "geom": "errorbar"},
    "errorband": {
        "aes": {"x": "n", "y": "amount"},
        "stat": {"type": "interval", "extent": "stdev"},
        "geom": "errorband",
    },
    "violin": {"aes": {"x": "g", "y": "y"}, "geom": "violin"},
    "density": {"aes": {"x": "y", "color": "g"}, "stat": "density", "geom": "area", "pos": "identity"},
    "ecdf": {"aes": {"x": "y", "color": "g"}, "stat": "ecdf"},
    "cumulative": {"aes": {"x": "day", "y": "amount", "color": "h"}, "stat": "cumulative", "geom": "line"},
    "smooth": {
        "aes": {"x": "x", "y": "y"},
        "layer": [
            {"geom": "point"},
            {"stat": "smooth"},
            {"stat": {"type": "loess", "span": 0.5}, "geom": {"type": "line", "color": "#e08214"}},
        ],
    },
    "regression_log": {
        "aes": {"x": "n", "y": "amount"},
        "data": {"where": "n > 0"},
        "stat": {"type": "regression", "method": "log"},
    },
    "window": {
        "aes": {"x": "day", "y": "amount"},
        "stat": ["mean", {"type": "window", "before": 5, "after": 5}],
        "geom": "line",
    },
    "m4": {"aes": {"x": "day", "y": "amount"}, "stat": {"type": "m4", "width": 30}, "geom": "line"},
    "sample": {"aes": {"x": "x", "y": "y"}, "stat": {"type": "sample", "n": 40, "seed": 3}, "geom": "point"},
    "sorted": {
        "aes": {"x": "g", "y": "amount"},
        "stat": ["sum", {"type": "sort", "on": "y", "reverse": True}],
        "geom": "bar",
    },
    "level": {
        "aes": {"x": "g", "y": "amount"},
        "layer": [{"stat": "sum", "geom": "bar"}, {"stat": ["sum", "level"], "geom": "rule"}],
    },
    "folded": {
        "data": {"fold": ["x", "y"], "where": {"column": "n", "between": [2, 6]}},
        "aes": {"x": "n", "y": "value", "color": "measure"},
        "stat": "mean",
        "geom": "line",
    },
    "second_axis": {
        "aes": {"x": "g", "y": "amount"},
        "layer": [
            {"stat": "sum", "geom": "bar"},
            {"aes": {"y": "x"}, "stat": "mean", "geom": "point", "axis": "right"},
        ],
        "scale": {"x": {"order_by": "-y"}},
    },
    "jitter": {"aes": {"x": "g", "y": "y"}, "geom": "point", "pos": "jitter"},
    "log_axis": {"aes": {"x": "x", "y": "amount"}, "geom": "point", "scale": {"y": {"type": "log", "base": 2}}},
    "symlog_axis": {"aes": {"x": "x", "y": "y"}, "geom": "point", "scale": {"x": "symlog"}},
    "sqrt_axis": {"aes": {"x": "g"}, "geom": "bar", "scale": {"y": "sqrt"}},
    "pow_axis": {"aes": {"x": "x", "y": "amount"}, "geom": "point", "scale": {"y": {"type": "pow", "exponent": 2}}},
    "utc_axis": {"aes": {"x": "day", "y": "amount"}, "geom": "point", "scale": {"x": {"type": "utc", "format": "%b"}}},
    "band_axis": {"aes": {"x": "n", "y": "amount"}, "stat": "mean", "geom": "point", "scale": {"x": "band"}},
    "point_axis": {"aes": {"x": "g", "y": "y"}, "geom": "point", "scale": {"x": {"type": "point", "padding": 1}}},
    "ordinal_colour": {"aes": {"x": "x", "y": "y", "color": "n"}, "geom": "point", "scale": {"color": "ordinal"}},
    "threshold_colour": {
        "aes": {"x": "x", "y": "y", "color": "amount"},
        "geom": "point",
        "scale": {"color": {"type": "threshold", "domain": [40, 60]}},
    },
    "quantile_colour": {
        "aes": {"x": "x", "y": "y", "color": "amount"},
        "geom": "point",
        "scale": {"color": {"type": "quantile", "count": 4}},
    },
    "diverging_colour": {
        "aes": {"x": "x", "y": "amount", "color": "y"},
        "geom": "point",
        "scale": {"color": "diverging", "x": {"reverse": True}},
    },
    "sequential_colour": {
        "aes": {"x": "x", "y": "y", "color": "n"},
        "geom": "point",
        "scale": {
            "color": {"type": "sequential", "scheme": "viridis"},
            "y": {"zero": True, "clamp": True, "nice": False},
        },
    },
    "facet_grid": {"aes": {"x": "x", "y": "y"}, "geom": "point", "facet": {"x": "g", "y": "h"}},
    "facet_wrap": {"aes": {"x": "amount"}, "stat": {"type": "bin", "bins": 8}, "facet": {"wrap": "n", "columns": 4}},
    "facet_free": {"aes": {"x": "x", "y": "y"}, "geom": "point", "facet": {"wrap": "g", "free": "xy"}},
    "fixed_ratio": {"aes": {"x": "x", "y": "y"}, "geom": "point", "coord": {"ratio": 0.5}},
    "too_many_points": {"aes": {"x": "x", "y": "y"}, "max_marks": 100},
    "too_long_line": {"aes": {"x": "x", "y": "y"}, "geom": "line", "max_marks": 40},
}
"""By name. Together they use every operator there is, which a test checks."""
