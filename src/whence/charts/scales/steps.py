"""Colours or sizes by steps: between limits that were given, or for equal shares of the marks."""

from __future__ import annotations

from whence.charts.option import Option
from whence.charts.scales.scale import SHOWN, Scale


class Threshold(Scale):
    """One look below the first limit, another between, another above."""

    name = "threshold"
    title = "a look for each stretch between limits (`domain`)"
    vega = "threshold"
    kinds = ("number",)
    options = SHOWN


class Quantile(Scale):
    """As many marks in each step."""

    name = "quantile"
    title = "a look for each of so many equal shares of the marks"
    vega = "quantile"
    kinds = ("number",)
    options = (*SHOWN, Option("count", "whole", "how many steps", 5, least=2))
