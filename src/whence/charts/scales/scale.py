"""What a scale is: which kinds it shows, what Vega-Lite calls it, the function from values to places and back."""

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
    Parameter("title", "text", "what the axis or legend is called"),
    Parameter("format", "text", "how values are written, as in d3-format or d3-time-format"),
)
STRETCHED = (
    *SHOWN,
    Parameter("nice", "flag", "whether it ends on round numbers", default=True),
    Parameter("zero", "flag", "whether it includes zero; so where lengths are read, if left open"),
    Parameter("clamp", "flag", "whether what lies beyond stays at the edge", default=False),
)


class Scale(Operator, ABC):
    """One kind of scale."""

    traits: ClassVar[ScaleTraits]
    options: ClassVar[tuple[Parameter, ...]] = STRETCHED

    def check(self, kind: Kind, call: Call) -> None:
        """Refuse values that it cannot show."""
        if kind not in self.traits.kinds:
            raise wrong(call.path, f"a {self.name} scale shows {' or '.join(self.traits.kinds)}, not {kind}")

    def check_lowest(self, low: float, call: Call, *, has_lengths: bool) -> None:
        """Refuse values that begin where it has no place for them, or lengths that it cannot show."""

    def for_axis(self, kind: Kind) -> Scale:
        """Return the scale that stands for it along x or y."""
        return self

    def span(self, values: Sequence[object], chosen: Chosen) -> list[object]:
        """Return the values it shows, from those that were learned."""
        return list(values)

    def colours(self, chosen: Chosen) -> object:
        """Return the colours of numbers where the chart names none."""
        return self.traits.scheme

    def parameters(self, chosen: Chosen) -> dict[str, object]:
        """What Vega-Lite needs beside type and domain."""
        return {}

    def forward(self, value: float, chosen: Chosen) -> float:
        """The value on a straight axis."""
        return value

    def back(self, place: float, chosen: Chosen) -> float:
        """The value at a place of the straight axis."""
        return place

    def position(self, value: float, domain: Sequence[float], pixels: Sequence[float], chosen: Chosen) -> float:
        """From a value to pixels."""
        low, high, here = (self.forward(each, chosen) for each in (domain[0], domain[-1], value))
        return pixels[0] + (here - low) / (high - low) * (pixels[-1] - pixels[0])

    def invert(self, pixel: float, domain: Sequence[float], pixels: Sequence[float], chosen: Chosen) -> float:
        """From pixels to the value."""
        low, high = (self.forward(each, chosen) for each in (domain[0], domain[-1]))
        return self.back(low + (pixel - pixels[0]) / (pixels[-1] - pixels[0]) * (high - low), chosen)
