"""The scales sequential and diverging: colours that change with a number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from whence.charts.options import Chosen
from whence.charts.scales.scale import STRETCHED, Scale
from whence.charts.scales.traits import ScaleTraits
from whence.model.parameter import Parameter


class Sequential(Scale):
    """Colours from little to much."""

    name = "sequential"
    title = "colours from little to much"
    traits = ScaleTraits(
        kinds=("number", "time"),
        vega="linear",
        lists_values=False,
        has_ends=True,
        can_show_zero=True,
        is_even=False,
        colours_each=False,
        scheme="blues",
    )


class Diverging(Scale):
    """Colours in both directions from a middle."""

    name = "diverging"
    title = "colours both ways from a middle"
    traits = ScaleTraits(
        kinds=("number",),
        vega="linear",
        lists_values=False,
        has_ends=True,
        can_show_zero=True,
        is_even=False,
        colours_each=False,
        scheme="redblue",
    )
    options = (*STRETCHED, Parameter("middle", "number", "where neither colour is", default=0))

    def span(self, values: Sequence[object], chosen: Chosen) -> list[object]:
        """Return a domain that reaches equally far to both sides of the middle."""
        middle = float(cast(float, chosen["middle"]))
        far = max((abs(float(cast(float, each)) - middle) for each in values), default=0.0) or 1.0
        return [middle - far, middle + far] if values else []
