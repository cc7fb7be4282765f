"""The registry of geoms, one line each."""

from __future__ import annotations

from collections.abc import Mapping

from whence.charts.geoms.area import Area
from whence.charts.geoms.bar import Bar, Histogram
from whence.charts.geoms.box import Box
from whence.charts.geoms.contour import Contour
from whence.charts.geoms.error_bars import ErrorBand, ErrorBar
from whence.charts.geoms.geom import Geom
from whence.charts.geoms.hexagon import Hexagon
from whence.charts.geoms.line import Line, Path
from whence.charts.geoms.map_country import MapCountry
from whence.charts.geoms.map_point import MapPoint
from whence.charts.geoms.pie import Pie
from whence.charts.geoms.point import Point
from whence.charts.geoms.radial import RadialArea, RadialLine
from whence.charts.geoms.rect import Cell, Rect
from whence.charts.geoms.rose import RadialBar, Rose
from whence.charts.geoms.text import Text
from whence.charts.geoms.tick import Rule, Tick
from whence.charts.geoms.violin import Violin
from whence.charts.geoms.waterfall import Waterfall
from whence.charts.operator import Call, find

GEOMS: Mapping[str, Geom] = {
    geom.name: geom
    for geom in (
        Point(),
        Line(),
        Path(),
        Area(),
        Bar(),
        Histogram(),
        Rect(),
        Cell(),
        Hexagon(),
        Contour(),
        Tick(),
        Rule(),
        Text(),
        Box(),
        ErrorBar(),
        ErrorBand(),
        Violin(),
        Waterfall(),
        Pie(),
        Rose(),
        RadialBar(),
        RadialLine(),
        RadialArea(),
        MapPoint(),
        MapCountry(),
    )
}

ALIASES = {
    "circle": "point",
    "boxplot": "box",
    "heatmap": "cell",
    "tile": "cell",
    "ribbon": "errorband",
    "hex": "hexagon",
    "choropleth": "map_country",
    "radar": "radial_line",
}


def find_geom(call: Call) -> Geom:
    """Return the geom that a call names."""
    return find(GEOMS, ALIASES, call, "geom")
