"""The ranges of two inputs side by side, for the condition of a join."""

from __future__ import annotations

from whence.plan.bounds.bound import Bounds
from whence.plan.step import BoundedStep


def bounds_of_pairs(left: BoundedStep, right: BoundedStep) -> Bounds:
    """Finds the intervals of what a join condition reads."""
    doubts = left.flagged.doubts | right.flagged.doubts
    reasons, settles_rows = {**left.reasons, **right.reasons}, left.settles_rows and right.settles_rows
    return Bounds(doubts, left.intervals() | right.intervals(), reasons, settles_rows=settles_rows)
