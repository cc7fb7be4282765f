"""An answer, a list of answers, and what knows their effect by definition."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from whence.explain.arrays import Floats
from whence.explain.few_rows import FewRows
from whence.explain.influence import Parts
from whence.explain.predicate import Predicate
from whence.explain.problem import Box, Problem
from whence.explain.search.archive import Archive


@dataclass(frozen=True)
class Answer:
    """One predicate, the c at which it is best, and what it does."""

    box: Box
    predicate: Predicate
    parts: Parts
    c_range: tuple[float, float]
    after: Floats
    p_value: float | None = None
    alternatives: tuple[Predicate, ...] = ()


@dataclass(frozen=True)
class Answers:
    """What was found, best first; or why nothing was."""

    items: tuple[Answer, ...]
    reason: str
    before: Floats
    archive: Archive = field(repr=False)
    seconds: float = 0.0
    is_complete: bool = True
    few: FewRows | None = None
    """The few single rows that bring the outliers back, where that is so."""


class Exact(Protocol):
    """Knows what predicates do by definition; `problem` has rows to compare them on."""

    @property
    def problem(self) -> Problem: ...

    @property
    def before(self) -> Floats: ...

    def exact(self, box: Box) -> tuple[Parts, Floats]: ...
