"""What a search is told: the values of c, lambda, when to stop, and whom to tell what it has found."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from whence.explain.search.archive import Archive

SWEEP = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8, 1.0)
"""The values of c at which predicates are grown when c is not given; winners are kept for fifty."""

DEFINITION = 0.1
"""Up to this c a predicate takes so many rows that influence by definition can be trusted and is reported."""


@dataclass(frozen=True)
class Settings:
    """`least_rows` keeps the search from chasing a handful of rows; NAIVE, DT and MC ignore it."""

    cs: tuple[float, ...] = SWEEP
    lam: float = 0.5
    most_clauses: int = 4
    least_rows: float = 5.0
    time_limit: float | None = None
    report: Callable[[Archive], bool] | None = None
    """Called now and then with what is known; True stops the search."""
    is_quick: bool = False
    """Fewer starts, for trials by the dozen."""
    started: float = field(default_factory=time.monotonic)

    def is_over(self, archive: Archive) -> bool:
        """Time is up, or the caller has had enough; what was found stays."""
        if self.time_limit is not None and time.monotonic() - self.started > self.time_limit:
            return True
        return self.report is not None and self.report(archive)
