"""What the page may assume of a position without knowing which one it is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class PositionTraits:
    """The facts that each position states about itself: no defaults, so that a new one answers every question."""

    piles_up: bool
    """Marks at one place lie on each other, so where one ends depends on those before it."""
