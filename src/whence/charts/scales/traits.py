"""The facts that the picture may use about a scale without knowing which one it is."""

from __future__ import annotations

from dataclasses import dataclass

from whence.charts.kinds import Kind


@dataclass(frozen=True, kw_only=True)
class ScaleTraits:
    """The facts that each scale states about itself. They have no defaults, so a new scale must state every one."""

    kinds: tuple[Kind, ...]
    """The kinds of columns that it shows."""

    vega: str | None
    """Its type in Vega-Lite, or None if Vega-Lite chooses."""

    lists_values: bool
    """Whether it gives each value a place of its own instead of spanning a range."""

    has_ends: bool
    """Whether, as an axis, it spans a range whose ends can be rounded or set to zero."""

    can_show_zero: bool
    """Whether it has a place for zero."""

    is_even: bool
    """Whether equal differences take equal lengths everywhere."""

    colours_each: bool
    """Whether each value has a colour of its own, whatever its kind."""

    scheme: str
    """The colours of numbers if the chart names none."""
