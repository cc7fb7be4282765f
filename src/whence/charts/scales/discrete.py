"""The scales band, point and ordinal: a place or look for each single value."""

from __future__ import annotations

from whence.charts.scales.scale import SHOWN, Scale
from whence.charts.scales.traits import ScaleTraits
from whence.model.parameter import Parameter

_PADDED = (*SHOWN, Parameter("padding", "number", "the share of a step between neighbours", least=0))


class Band(Scale):
    """A width for each value, as under bars."""

    name = "band"
    title = "a width for each category, as under bars"
    traits = ScaleTraits(
        kinds=("text", "number", "time"),
        vega="band",
        lists_values=True,
        has_ends=False,
        can_show_zero=True,
        is_even=False,
        colours_each=False,
        scheme="blues",
    )
    options = _PADDED


class Point(Scale):
    """A place for each value."""

    name = "point"
    title = "a place for each category"
    traits = ScaleTraits(
        kinds=("text", "number", "time"),
        vega="point",
        lists_values=True,
        has_ends=False,
        can_show_zero=True,
        is_even=False,
        colours_each=False,
        scheme="blues",
    )
    options = _PADDED


class Ordinal(Scale):
    """A colour, shape or size for each value."""

    name = "ordinal"
    title = "a colour, shape or size for each category"
    traits = ScaleTraits(
        kinds=("text", "number", "time"),
        vega="ordinal",
        lists_values=True,
        has_ends=False,
        can_show_zero=True,
        is_even=False,
        colours_each=True,
        scheme="blues",
    )
    options = SHOWN
