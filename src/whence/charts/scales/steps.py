"""The scales threshold and quantile: colours or sizes in steps, between limits or for equal shares of the marks."""

from __future__ import annotations

from whence.charts.options import Chosen
from whence.charts.scales.scale import SHOWN, Scale
from whence.charts.scales.traits import ScaleTraits
from whence.model.parameter import Parameter


class Threshold(Scale):
    """One look below the first limit, one between each two limits, and one above the last."""

    name = "threshold"
    title = "a look for each stretch between limits (`domain`)"
    traits = ScaleTraits(
        kinds=("number",),
        vega="threshold",
        lists_values=False,
        has_ends=True,
        can_show_zero=True,
        is_even=False,
        colours_each=False,
        scheme="blues",
    )
    options = SHOWN


class Quantile(Scale):
    """A look for each step, with equally many marks in each."""

    name = "quantile"
    title = "a look for each of so many equal shares of the marks"
    traits = ScaleTraits(
        kinds=("number",),
        vega="quantile",
        lists_values=False,
        has_ends=True,
        can_show_zero=True,
        is_even=False,
        colours_each=False,
        scheme="blues",
    )
    options = (*SHOWN, Parameter("count", "whole", "how many steps", default=5, least=2))

    def colours(self, chosen: Chosen) -> object:
        """Return the colour scheme with one colour for each step."""
        return {"name": self.traits.scheme, "count": chosen["count"]}
