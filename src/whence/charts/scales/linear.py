"""The scales linear (equal steps for equal differences) and auto (chosen by the kind of the column)."""

from __future__ import annotations

from whence.charts.kinds import Kind
from whence.charts.scales.scale import STRETCHED, Scale
from whence.charts.scales.time import Utc
from whence.charts.scales.traits import ScaleTraits


class Linear(Scale):
    """The usual scale of numbers."""

    name = "linear"
    title = "equal steps for equal differences"
    traits = ScaleTraits(
        kinds=("number",),
        vega="linear",
        lists_values=False,
        has_ends=True,
        can_show_zero=True,
        is_even=True,
        colours_each=False,
        scheme="blues",
    )
    options = STRETCHED


class Auto(Scale):
    """The default scale: linear for numbers, UTC for times, bands or points for text, ordinal for colours."""

    name = "auto"
    title = "chosen by the kind of the column"
    traits = ScaleTraits(
        kinds=("number", "time", "text"),
        vega=None,
        lists_values=False,
        has_ends=True,
        can_show_zero=True,
        is_even=True,
        colours_each=False,
        scheme="blues",
    )

    def for_axis(self, kind: Kind) -> Scale:
        """Return the UTC scale for times, because they are stored in UTC."""
        return Utc() if kind == "time" else self
