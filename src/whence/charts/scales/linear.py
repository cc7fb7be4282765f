"""Equal steps for equal differences; and the scale that is chosen by the kind of the column."""

from __future__ import annotations

from whence.charts.scales.scale import STRETCHED, Scale


class Linear(Scale):
    """The scale of numbers."""

    name = "linear"
    title = "equal steps for equal differences"
    vega = "linear"
    kinds = ("number",)
    options = STRETCHED


class Auto(Scale):
    """Linear for numbers, UTC for times, bands or points for text, ordinal colours."""

    name = "auto"
    title = "chosen by the kind of the column"
    kinds = ("number", "time", "text")
