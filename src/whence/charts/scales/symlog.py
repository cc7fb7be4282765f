"""The scale symlog: logarithmic away from zero and linear near it, so that it shows zero and both signs."""

from __future__ import annotations

import math
from typing import cast

from whence.charts.options import Chosen
from whence.charts.scales.scale import STRETCHED, Scale
from whence.charts.scales.traits import ScaleTraits
from whence.model.parameter import Parameter


class Symlog(Scale):
    """A symmetric logarithm, for wide ranges with zero or both signs."""

    name = "symlog"
    title = "logarithmic away from zero, straight near it"
    traits = ScaleTraits(
        kinds=("number",),
        vega="symlog",
        lists_values=False,
        has_ends=True,
        can_show_zero=True,
        is_even=False,
        colours_each=False,
        scheme="blues",
    )
    options = (*STRETCHED, Parameter("constant", "number", "how far from zero it is straight", default=1, least=1e-12))

    def parameters(self, chosen: Chosen) -> dict[str, object]:
        """Return the constant."""
        return {"constant": chosen["constant"]}

    def forward(self, value: float, chosen: Chosen) -> float:
        """Return the logarithm of 1 + |value / constant|, with the sign of the value."""
        return math.copysign(math.log1p(abs(value / cast(float, chosen["constant"]))), value)

    def back(self, place: float, chosen: Chosen) -> float:
        """Return the inverse of `forward`."""
        return math.copysign(math.expm1(abs(place)) * cast(float, chosen["constant"]), place)
