"""The settings of one search for explanations: c, lambda, method, number of answers, time limit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from whence.explain.answer import Answer
from whence.explain.search.settings import SWEEP


@dataclass(frozen=True)
class Request:
    """What a caller asks of a search.

    `c` is the weight of the number of removed rows. None searches at several values from 0 to 1. `partial` receives the
    answers found so far while the search runs, and stops it by returning True.
    """

    c: float | None = None
    lam: float = 0.5
    method: str = "auto"
    top: int = 10
    most_clauses: int = 4
    time_limit: float | None = None
    partial: Callable[[list[Answer]], bool | None] | None = None
    tests_chance: bool = True
    seed: int = 0

    @property
    def cs(self) -> tuple[float, ...]:
        """The values of c at which the search grows predicates."""
        return SWEEP if self.c is None else (self.c,)
