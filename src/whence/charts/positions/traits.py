"""The facts that the picture may use about a position without knowing which one it is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class PositionTraits:
    """The facts that each position states about itself. They have no defaults, so a new one must state every one."""

    piles_up: bool
    """Whether marks at one place are stacked, so that the end of one depends on those before it."""
    makes_shares: bool
    """Whether lengths become shares of a whole, which an axis shows in percent."""
