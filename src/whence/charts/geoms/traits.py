"""What the compiler and the page may assume of a geom without knowing which one it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Reduction = Literal["squares", "columns", "sample"]
"""What stands for more marks than there are pixels. `squares`: counts in squares of x and y. `columns`: the first,
last, lowest and highest mark of each column of pixels. `sample`: some of the rows, at random."""


@dataclass(frozen=True, kw_only=True)
class Companion:
    """A second layer that is drawn with a geom: what it computes, how it is drawn, and how it is left out."""

    stat: str
    geom: str
    option: str
    """The option of the geom that leaves it out if false."""
    style: tuple[str, ...]
    """The options of the geom that hold for it, too."""


@dataclass(frozen=True, kw_only=True)
class GeomTraits:
    """The facts that each geom states about itself: no defaults, so that a new geom answers every question."""

    needs: tuple[str, ...]
    """The aesthetics without which nothing can be drawn; `x|y` means that one of them is enough."""

    needs_columns: tuple[str, ...]
    """The columns of the marks without which it cannot be drawn, and which its own stat makes."""

    stat: str | None
    """What is computed if the chart names no stat; None where each row is a mark."""

    pos: str
    """Where marks go if the chart names no position."""

    stands_beside: bool
    """Marks of several series in one category would hide each other, so they stand side by side there."""

    from_zero: bool
    """Its length is read, so the axis of the measure begins at zero."""

    measures: tuple[str, ...]
    """Columns of the marks that are drawn along the axis of the measure, beside the value itself."""

    measures_y: bool
    """With y alone, it shows the values of y; other geoms then count or bin them, lying on their side."""

    is_hatched: bool
    """It has an area, on which doubt is shown by hatching; other marks get a dashed ring."""

    connects: bool
    """One shape goes through many marks."""

    follows_rows: bool
    """Its shape goes from mark to mark in the order of the rows, not along x."""

    hides_below: bool
    """Its surface covers what was drawn before, so that curves of several series are made see-through."""

    needs_every_place: bool
    """When series lie on each other, each needs a value wherever another one has a value."""

    stands_in_slots: bool
    """It extends to both sides of its category, so categories stand at whole numbers of an axis."""

    when_many: Reduction
    """What is drawn where there are more rows than marks can be shown."""

    companion: Companion | None
    """A layer that comes with it, such as the points beyond a box."""
