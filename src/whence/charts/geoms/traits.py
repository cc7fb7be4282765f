"""The facts that compiler and picture may use about a geom without knowing which one it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from whence.charts.kinds import Kind

Reduction = Literal["squares", "columns", "sample"]
"""How a chart with more marks than pixels is reduced.

`squares`: counts in squares of x and y. `columns`: the first, last, lowest and highest mark of each column of pixels.
`sample`: a random sample of the rows.
"""


@dataclass(frozen=True, kw_only=True)
class Companion:
    """A second layer that is drawn with a geom: its stat, its geom, and the option that leaves it out."""

    stat: str
    geom: str
    option: str
    """The option of the main geom that leaves it out if false."""
    style: tuple[str, ...]
    """The options of the main geom that also hold for it."""

    keys: tuple[Kind, ...]
    """The kinds of keys with which it is drawn."""


@dataclass(frozen=True, kw_only=True)
class GeomTraits:
    """The facts that each geom states about itself. They have no defaults, so a new geom must state every one."""

    needs: tuple[str, ...]
    """The aesthetics without which it cannot be drawn. `x|y` means that one of them is enough."""

    needs_columns: tuple[str, ...]
    """The columns of the mark table without which it cannot be drawn, and which its own stat makes."""

    numbers: tuple[str, ...]
    """The aesthetics that must be numbers, as places on a globe are."""

    stat: str | None
    """The stat if the chart names none. None means that each row is a mark."""

    pos: str
    """The position if the chart names none."""

    stands_beside_at: tuple[Kind, ...]
    """The kinds of keys at which marks of several series would hide each other, so that they are dodged."""

    from_zero: bool
    """Whether its length is read, so that the axis of the measure begins at zero."""

    measures: tuple[str, ...]
    """Columns of the mark table that are drawn along the axis of the measure, beside the value itself."""

    measures_y: bool
    """Whether it shows the values of y if only y is mapped. Other geoms then count or bin y, horizontally."""

    is_hatched: bool
    """Whether it has an area on which hatching shows doubt. Other marks get a dashed ring."""

    connects: bool
    """Whether one shape goes through many marks."""

    follows_rows: bool
    """Whether its shape goes from mark to mark in the order of the rows, not along x."""

    hides_below: bool
    """Whether its surface covers what was drawn before, so that curves of several series are transparent."""

    needs_every_place: bool
    """Whether each stacked series needs a value wherever another one has a value."""

    stands_in_slots: bool
    """Whether it extends to both sides of its category, so that categories stand at whole numbers."""

    fits_pixels: bool
    """Whether its shapes are cut to the pixels of a stretch of the axes, so that axes end where the marks do."""

    when_many: Reduction
    """How it is reduced if there are more rows than marks can be shown."""

    companion: Companion | None
    """A layer that comes with it, such as the points beyond a box."""

    totals: str | None
    """The option that adds totals beside it, of what stands above each other and of what stands side by side."""
