"""The registry of scales, one line each."""

from __future__ import annotations

from collections.abc import Mapping

from whence.charts.operator import Call, find
from whence.charts.scales.colours import Diverging, Sequential
from whence.charts.scales.discrete import Band, Ordinal, Point
from whence.charts.scales.linear import Auto, Linear
from whence.charts.scales.log import Log
from whence.charts.scales.power import Pow, Sqrt
from whence.charts.scales.scale import Scale
from whence.charts.scales.steps import Quantile, Threshold
from whence.charts.scales.symlog import Symlog
from whence.charts.scales.time import Time, Utc

SCALES: Mapping[str, Scale] = {
    scale.name: scale
    for scale in (
        Auto(),
        Linear(),
        Log(),
        Symlog(),
        Sqrt(),
        Pow(),
        Time(),
        Utc(),
        Band(),
        Point(),
        Ordinal(),
        Threshold(),
        Quantile(),
        Sequential(),
        Diverging(),
    )
}


def find_scale(call: Call) -> Scale:
    """Return the scale that a call names."""
    return find(SCALES, {}, call, "scale")
