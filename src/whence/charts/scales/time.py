"""Dates and times."""

from __future__ import annotations

from whence.charts.scales.scale import Scale


class Utc(Scale):
    """Times as they are stored, which is UTC."""

    name = "utc"
    title = "dates and times, in UTC"
    vega = "utc"
    kinds = ("time",)


class Time(Scale):
    """Times where the reader is."""

    name = "time"
    title = "dates and times, where the reader is"
    vega = "time"
    kinds = ("time",)
