"""Colours that change with a number: from light to dark, or both ways from a middle."""

from __future__ import annotations

from whence.charts.option import Option
from whence.charts.scales.scale import STRETCHED, Scale


class Sequential(Scale):
    """From little to much."""

    name = "sequential"
    title = "colours from little to much"
    vega = "linear"
    kinds = ("number", "time")


class Diverging(Scale):
    """From a middle both ways."""

    name = "diverging"
    title = "colours both ways from a middle"
    vega = "linear"
    kinds = ("number",)
    options = (*STRETCHED, Option("middle", "number", "where neither colour is", 0))
