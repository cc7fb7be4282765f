"""The base class of scales: the kinds they show, their name in Vega-Lite, and the function from values to places."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from whence.charts.errors import wrong
from whence.charts.kinds import Kind
from whence.charts.operator import Call, Operator
from whence.charts.options import Chosen
from whence.charts.scales.traits import ScaleTraits
from whence.model.parameter import Parameter

SHOWN = (
    Parameter("domain", "values", "the values shown; learned from all layers and panels if left open"),
    Parameter("range", "values", "what they become: pixels, sizes, colours, shapes"),
    Parameter("scheme", "text", "a named set of colours"),
    Parameter("reverse", "flag", "whether it runs the other way", default=False),
    Parameter("order_by", "text", "the aesthetic that orders categories, such as order; -y for the largest y first"),
    Parameter("title", "text", "what the axis or legend is called"),
    Parameter("format", "text", "how values are written, as in d3-format or d3-time-format"),
)
"""The options of all scales."""
STRETCHED = (
    *SHOWN,
    Parameter("nice", "flag", "whether it ends on round numbers", default=True),
    Parameter("zero", "flag", "whether it includes zero; so where lengths are read, if left open"),
    Parameter("clamp", "flag", "whether what lies beyond stays at the edge", default=False),
)
"""The options of scales over numbers or times."""


class Scale(Operator, ABC):
    """One kind of scale."""

    traits: ClassVar[ScaleTraits]
    options: ClassVar[tuple[Parameter, ...]] = STRETCHED

    def check(self, kind: Kind, call: Call) -> None:
        """Raise an error if it cannot show values of this kind."""
        if kind not in self.traits.kinds:
            raise wrong(call.path, f"a {self.name} scale shows {' or '.join(self.traits.kinds)}, not {kind}")

    def check_lowest(self, low: float, call: Call, *, has_lengths: bool) -> None:
        """Raise an error if it cannot show the lowest value, or lengths that begin at zero."""

    def for_axis(self, kind: Kind) -> Scale:
        """Return the scale that stands for it along x or y."""
        return self

    def span(self, values: Sequence[object], chosen: Chosen) -> list[object]:
        """Return the domain, from the values that training found."""
        return list(values)

    def colours(self, chosen: Chosen) -> object:
        """Return the colours of numbers if the chart names none."""
        return self.traits.scheme

    def parameters(self, chosen: Chosen) -> dict[str, object]:
        """Return what Vega-Lite needs besides type and domain."""
        return {}

    def forward(self, value: float, chosen: Chosen) -> float:
        """Return the value transformed to a linear axis."""
        return value

    def back(self, place: float, chosen: Chosen) -> float:
        """Return the value at a place of the linear axis: the inverse of `forward`."""
        return place

    def position(self, value: float, domain: Sequence[float], pixels: Sequence[float], chosen: Chosen) -> float:
        """Return the pixel of a value."""
        low, high, here = (self.forward(each, chosen) for each in (domain[0], domain[-1], value))
        return pixels[0] + (here - low) / (high - low) * (pixels[-1] - pixels[0])

    def invert(self, pixel: float, domain: Sequence[float], pixels: Sequence[float], chosen: Chosen) -> float:
        """Return the value at a pixel."""
        low, high = (self.forward(each, chosen) for each in (domain[0], domain[-1]))
        return self.back(low + (pixel - pixels[0]) / (pixels[-1] - pixels[0]) * (high - low), chosen)
