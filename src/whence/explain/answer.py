"""The result types of an explanation: one answer, the list of answers, and the scorer protocol they need."""

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
    """One predicate, the range of c at which it is best, and its effect."""

    box: Box
    predicate: Predicate
    parts: Parts
    c_range: tuple[float, float]
    after: Floats
    """The value of each marked group without the rows of the predicate."""
    p_value: float | None = None
    alternatives: tuple[Predicate, ...] = ()
    """Other predicates that take nearly the same rows."""


@dataclass(frozen=True)
class Answers:
    """The answers of one question, best first, or the reason why there are none."""

    items: tuple[Answer, ...]
    reason: str
    before: Floats
    archive: Archive = field(repr=False)
    seconds: float = 0.0
    is_complete: bool = True
    """False if the time limit or the caller stopped the search."""
    few: FewRows | None = None
    """The few single rows whose removal alone brings the outliers back, if there are such rows."""


class Exact(Protocol):
    """A scorer that computes the effect of predicates by definition. Their rows are compared within `problem`."""

    @property
    def problem(self) -> Problem: ...

    @property
    def before(self) -> Floats: ...

    def exact(self, box: Box) -> tuple[Parts, Floats]: ...
