"""What the page may assume of a scale without knowing which one it is."""

from __future__ import annotations

from dataclasses import dataclass

from whence.charts.kinds import Kind


@dataclass(frozen=True, kw_only=True)
class ScaleTraits:
    """The facts that each scale states about itself: no defaults, so that a new scale answers every question."""

    kinds: tuple[Kind, ...]
    """The kinds of columns that it shows."""

    vega: str | None
    """Its name in Vega-Lite; None where Vega-Lite chooses."""

    lists_values: bool
    """It gives each value a place of its own instead of stretching over numbers."""

    has_ends: bool
    """As an axis it stretches from one value to another, which can be rounded or set to zero."""

    can_show_zero: bool
    """There is a place for zero on it."""

    colours_each: bool
    """Each value has a colour of its own, whatever its kind."""

    scheme: str
    """The colours of numbers if the chart names none."""
