"""Bounds the recursion limit that a cell can set."""

from __future__ import annotations

import sys

DEEPEST = 1_000_000
"""Depth of calls: seconds of work and some hundred megabytes. Without it, endless recursion fills the memory first."""


def bound_recursion() -> None:
    """Replace `sys.setrecursionlimit` by a function that sets no higher limit than the bound."""
    set_limit = sys.setrecursionlimit

    def set_bounded_limit(limit: int) -> None:
        """Set the maximum depth of calls, at most a million."""
        set_limit(min(limit, DEEPEST))

    sys.setrecursionlimit = set_bounded_limit
