"""Places and looks for things that are told apart."""

from __future__ import annotations

from whence.charts.option import Option
from whence.charts.scales.scale import SHOWN, Scale

_PADDED = (*SHOWN, Option("padding", "number", "the share of a step between neighbours", least=0))


class Band(Scale):
    """Each has a width, as under bars."""

    name = "band"
    title = "a width for each category, as under bars"
    vega = "band"
    kinds = ("text", "number", "time")
    options = _PADDED


class Point(Scale):
    """Each has a place."""

    name = "point"
    title = "a place for each category"
    vega = "point"
    kinds = ("text", "number", "time")
    options = _PADDED


class Ordinal(Scale):
    """Each has a colour, shape or size."""

    name = "ordinal"
    title = "a colour, shape or size for each category"
    vega = "ordinal"
    kinds = ("text", "number", "time")
    options = SHOWN
