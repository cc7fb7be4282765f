"""The scale log: equal steps for equal ratios."""

from __future__ import annotations

import math
from typing import cast

from whence.charts.errors import wrong
from whence.charts.operator import Call
from whence.charts.options import Chosen
from whence.charts.scales.scale import STRETCHED, Scale
from whence.charts.scales.traits import ScaleTraits
from whence.model.parameter import Parameter


class Log(Scale):
    """A logarithmic scale, for values above zero."""

    name = "log"
    title = "equal steps for equal ratios"
    traits = ScaleTraits(
        kinds=("number",),
        vega="log",
        lists_values=False,
        has_ends=True,
        can_show_zero=False,
        is_even=False,
        colours_each=False,
        scheme="blues",
    )
    options = (*STRETCHED, Parameter("base", "number", "the base of its ticks", default=10, least=1.000001))

    def check_lowest(self, low: float, call: Call, *, has_lengths: bool) -> None:
        """Raise an error for zero or negative values, which have no logarithm."""
        if low <= 0:
            raise wrong(
                call.path,
                f"lengths begin at zero, which a log scale cannot show for {call.path.rpartition('.')[2]}"
                if has_lengths
                else f"a log scale shows values above zero only, but {call.path.rpartition('.')[2]} begins at {low:g}",
                "Use symlog, or points instead of bars.",
            )

    def parameters(self, chosen: Chosen) -> dict[str, object]:
        """Return the base."""
        return {"base": chosen["base"]}

    def forward(self, value: float, chosen: Chosen) -> float:
        """Return the logarithm of the value."""
        return math.log(value) / math.log(cast(float, chosen["base"]))

    def back(self, place: float, chosen: Chosen) -> float:
        """Return the base to the power of the place."""
        return float(cast(float, chosen["base"]) ** place)
