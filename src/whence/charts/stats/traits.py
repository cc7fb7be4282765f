"""The facts that compiler and picture may use about a stat without knowing which one it is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class StatTraits:
    """The facts that each stat states about itself. They have no defaults, so a new stat must state every one."""

    needs: tuple[str, ...]
    """The aesthetics that must be mapped."""

    numbers: tuple[str, ...]
    """The aesthetics that must be numbers or times."""

    geom: str | None
    """The geom if the chart names none. None means that the columns decide."""

    passes_rows_through: bool
    """Whether each row stays one mark, so that fewer rows may be drawn if there are too many."""

    sets_order: bool
    """Whether its order is that of the axis, so that texts are not sorted."""

    most_marks: int | None
    """About how many marks it makes with its default options. None means that the rows decide."""
