"""The look of charts: quiet axes, one palette, stripes for doubt."""

from __future__ import annotations

from typing import Literal

# Ten colours that differ in lightness as well as in hue, then the same ones lighter.
PALETTE = (
    "#3b6fb6", "#e08214", "#2a9d6f", "#c2447b", "#8c6bb1", "#56b4e9", "#b8a11c", "#8a5a44", "#6b7280", "#d1495b",
    "#9bbfe0", "#f3c08a", "#93d1b7", "#e3a5c0", "#c7b5da", "#b5def6", "#e2d583", "#c9a898", "#b6bac2", "#edabb2",
)  # fmt: skip
BLUE = PALETTE[0]
FALL = PALETTE[1]
"""The colour of what lowers a sum. Beside blue it can be told apart without seeing red or green."""
INK = "#2c313c"
"""The colour of words, and of what has to be read over any colour of the palette. A dark page has another."""
DOUBT = "#b3261e"
DOUBT_LINE = "doubt"
"""The Vega-Lite style of edges and rings in the colour of doubt, which differs on a dark page."""
DOUBT_FILL = "doubt_fill"
"""The Vega-Lite style of dots and words in the colour of doubt."""
FONT = "Inter, 'Source Sans 3', 'Helvetica Neue', Arial, sans-serif"

CONFIG: dict[str, object] = {
    "font": FONT,
    "background": "white",
    "view": {"stroke": None, "continuousWidth": 420, "continuousHeight": 260},
    "axis": {
        "gridColor": "#ececf0",
        "domainColor": "#c4c7cf",
        "tickColor": "#c4c7cf",
        "labelColor": "#4b5160",
        "titleColor": "#2c313c",
        "titleFontWeight": 500,
        "labelFontSize": 11,
        "titleFontSize": 12,
        "titlePadding": 8,
        "labelPadding": 4,
        "labelOverlap": True,
    },
    "axisBand": {"grid": False, "ticks": False},
    "legend": {
        "labelColor": "#4b5160",
        "titleColor": "#2c313c",
        "titleFontWeight": 500,
        "symbolType": "circle",
        # Legends of sizes and shapes have no colour of their own.
        "symbolBaseFillColor": "#4b5160",
        "symbolBaseStrokeColor": "#4b5160",
    },
    "title": {
        "anchor": "start",
        "color": "#2c313c",
        "fontSize": 14,
        "fontWeight": 600,
        "offset": 10,
        "subtitleColor": "#6b7280",
    },
    "range": {"category": list(PALETTE)},
    "bar": {"color": BLUE},
    "rect": {"color": BLUE},
    "area": {"color": BLUE},
    "line": {"color": BLUE},
    "point": {"color": BLUE},
    "arc": {"color": BLUE},
    "tick": {"color": BLUE},
    "rule": {"color": "#4b5160"},
    "text": {"color": INK},
    # The page overrides this on a dark background, where white outlines would stand out.
    "style": {
        "gap": {"stroke": "white", "strokeWidth": 0.5},
        "rings": {"stroke": "#e2e4ea", "strokeWidth": 1},
        "ground": {"color": "#e4e6ec", "stroke": "white", "strokeWidth": 0.5},
        # Vega-Lite takes the colour of points, rules and words from `color`, that of edges from `stroke`.
        DOUBT_LINE: {"color": DOUBT, "stroke": DOUBT},
        DOUBT_FILL: {"color": DOUBT},
    },
}


def stripes(along: Literal["x", "y", "both"] = "both") -> dict[str, object]:
    """Return a Vega gradient that looks like hatching: white stripes with the mark's colour between them.

    Stripes follow each other along one axis, or along both, which makes them slanted.
    """
    count, stops = 14, []
    for place in range(count):
        start, middle, end = place / count, (place + 0.45) / count, (place + 1) / count
        stops += [
            {"offset": start, "color": "rgba(255,255,255,0.75)"},
            {"offset": middle, "color": "rgba(255,255,255,0.75)"},
            {"offset": middle, "color": "rgba(255,255,255,0)"},
            {"offset": end, "color": "rgba(255,255,255,0)"},
        ]
    return {"gradient": "linear", "x1": 0, "y1": 0, "x2": int(along != "y"), "y2": int(along != "x"), "stops": stops}
