"""The scales pow and sqrt: powers of values, such as square roots for areas."""

from __future__ import annotations

import math
from typing import ClassVar, cast

from whence.charts.options import Chosen
from whence.charts.scales.scale import STRETCHED, Scale
from whence.charts.scales.traits import ScaleTraits
from whence.model.parameter import Parameter


class Pow(Scale):
    """A power of the absolute value, with the sign kept."""

    name = "pow"
    title = "values to a power"
    traits = ScaleTraits(
        kinds=("number",),
        vega="pow",
        lists_values=False,
        has_ends=True,
        can_show_zero=True,
        is_even=False,
        colours_each=False,
        scheme="blues",
    )
    options: ClassVar[tuple[Parameter, ...]] = (
        *STRETCHED,
        Parameter("exponent", "number", "the power", default=2, least=1e-6),
    )

    def parameters(self, chosen: Chosen) -> dict[str, object]:
        """Return the exponent."""
        return {"exponent": chosen["exponent"]}

    def forward(self, value: float, chosen: Chosen) -> float:
        """Return the power of the value."""
        return math.copysign(abs(value) ** self._exponent(chosen), value)

    def back(self, place: float, chosen: Chosen) -> float:
        """Return the root of the place."""
        return math.copysign(abs(place) ** (1 / self._exponent(chosen)), place)

    def _exponent(self, chosen: Chosen) -> float:
        return float(cast(float, chosen["exponent"]))


class Sqrt(Pow):
    """Square roots of values."""

    name = "sqrt"
    title = "square roots of values"
    traits = ScaleTraits(
        kinds=("number",),
        vega="sqrt",
        lists_values=False,
        has_ends=True,
        can_show_zero=True,
        is_even=False,
        colours_each=False,
        scheme="blues",
    )
    options = STRETCHED

    def parameters(self, chosen: Chosen) -> dict[str, object]:
        """Return nothing, because Vega-Lite knows the exponent of sqrt."""
        return {}

    def _exponent(self, chosen: Chosen) -> float:
        return 0.5
