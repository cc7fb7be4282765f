"""Equal steps for equal ratios."""

from __future__ import annotations

import math
from typing import cast

from whence.charts.option import Chosen, Option
from whence.charts.scales.scale import STRETCHED, Scale


class Log(Scale):
    """For values above zero."""

    name = "log"
    title = "equal steps for equal ratios"
    vega = "log"
    kinds = ("number",)
    options = (*STRETCHED, Option("base", "number", "the base of its ticks", 10, least=1.000001))

    def parameters(self, chosen: Chosen) -> dict[str, object]:
        """The base."""
        return {"base": chosen["base"]}

    def forward(self, value: float, chosen: Chosen) -> float:
        """The logarithm."""
        return math.log(value) / math.log(cast(float, chosen["base"]))

    def back(self, place: float, chosen: Chosen) -> float:
        """The power."""
        return float(cast(float, chosen["base"]) ** place)
