"""The scales utc and time, for dates and times."""

from __future__ import annotations

from whence.charts.scales.scale import Scale
from whence.charts.scales.traits import ScaleTraits


class Utc(Scale):
    """Times in UTC, as they are stored."""

    name = "utc"
    title = "dates and times, in UTC"
    traits = ScaleTraits(
        kinds=("time",),
        vega="utc",
        lists_values=False,
        has_ends=True,
        can_show_zero=False,
        is_even=True,
        colours_each=False,
        scheme="blues",
    )


class Time(Scale):
    """Times in the time zone of the reader's browser."""

    name = "time"
    title = "dates and times, where the reader is"
    traits = ScaleTraits(
        kinds=("time",),
        vega="time",
        lists_values=False,
        has_ends=True,
        can_show_zero=False,
        is_even=True,
        colours_each=False,
        scheme="blues",
    )
