"""What is asked of a search: c, lambda, how many answers, how long, and who hears of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from whence.explain.answer import Answer
from whence.explain.search.settings import SWEEP


@dataclass(frozen=True)
class Request:
    """`c` None sweeps 0..1; `partial` hears of answers while the search runs, and stops it by returning True."""

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
        """The values of c to grow predicates at."""
        return SWEEP if self.c is None else (self.c,)
