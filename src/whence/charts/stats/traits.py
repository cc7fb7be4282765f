"""What the compiler and the page may assume of a stat without knowing which one it is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class StatTraits:
    """The facts that each stat states about itself: no defaults, so that a new stat answers every question."""

    needs: tuple[str, ...]
    """The aesthetics without which it means nothing."""

    numbers: tuple[str, ...]
    """The aesthetics that must be numbers or times."""

    geom: str | None
    """The geom that shows it where the chart names none; None where the columns decide."""

    passes_rows_through: bool
    """It computes nothing: each row is a mark, and fewer rows may be drawn where there are too many."""

    sets_order: bool
    """Its order is that of the axis; the values of text are then not sorted."""

    most_marks: int | None
    """About how many marks it makes of any number of rows, if no option says otherwise; None where rows decide."""
