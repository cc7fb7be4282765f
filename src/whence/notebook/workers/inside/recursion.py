"""Ends recursion without end soon, whatever limit a cell sets."""

from __future__ import annotations

import sys

DEEPEST = 1_000_000
"""Calls within calls: seconds of work, and some hundred megabytes. Without a bound a cell fills its memory first."""


def bound_recursion() -> None:
    """Let `sys.setrecursionlimit` take effect up to the bound only."""
    set_limit = sys.setrecursionlimit

    def set_bounded_limit(limit: int) -> None:
        """Set the maximum depth of calls, at most a million."""
        set_limit(min(limit, DEEPEST))

    sys.setrecursionlimit = set_bounded_limit
