"""Improve the ends of predicates that coarse bins or a sample found, by a few passes over all rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from whence.explain.distributed.spark_problem import SparkProblem
from whence.explain.influence import Scorer
from whence.explain.problem import Box, clause_on, with_clause
from whence.explain.search.archive import Archive, terms
from whence.explain.search.best_clause import Judge, best_clause
from whence.explain.search.boxes import sober_judge
from whence.explain.search.histograms import Histograms
from whence.explain.search.settings import Settings

_ROUNDS = 3
_EVERY = 3
"""A winner is sharpened at every third c only, as neighbouring values of c share theirs."""

_NATURAL = 4
"""The most boxes with natural edges that are sharpened."""
_PINPOINT = 0.8
"""The c at which boxes with natural edges are sharpened, by their effect on the outliers alone."""


@dataclass(frozen=True)
class SharperBoxes:
    """Candidates for better predicates, and which of them came from boxes with natural edges."""

    boxes: list[Box]
    natural: set[Box]


def sharpen(spark: SparkProblem, scorer: Scorer, archive: Archive, how: Settings, cs: Sequence[float]) -> SharperBoxes:
    """Return candidates with better ends for the winners at some c, and for boxes with natural edges.

    One pass sums the fine bins of each attribute under all other clauses of a predicate, and these sums give the best
    clause on it. Changing all clauses at once is a guess, which the next pass tests.
    """
    histograms = [Histograms(scorer, each, spark.scorer_of_all) for each in spark.problem.attributes]
    starts = _starts(archive, how, cs)
    found: dict[Box, bool] = {}
    for _ in range(_ROUNDS):
        if not starts or how.is_over(archive):
            break
        starts = _improved(spark, histograms, starts, how, found)
    found |= {box: start.is_natural for box, start in starts.items()}
    return SharperBoxes(list(found), {box for box, is_natural in found.items() if is_natural})


@dataclass(frozen=True)
class _Start:
    """The judge that decides what is better for a box, and whether the box has natural edges."""

    judge: Judge
    is_natural: bool = False


def _starts(archive: Archive, how: Settings, cs: Sequence[float]) -> dict[Box, _Start]:
    starts: dict[Box, _Start] = {}
    alone = sober_judge(_PINPOINT, replace(how, lam=1.0))
    clearest = sorted(archive.natural, key=lambda box: -archive.per_row(archive.boxes.index(box)))
    for box in [box for box in clearest if terms(box) <= 2 * how.most_clauses][:_NATURAL]:
        starts[box] = _Start(alone, is_natural=True)
    for c in cs[::_EVERY]:
        for box in archive.top(c, how.lam, 1):
            starts.setdefault(box, _Start(sober_judge(c, how)))
    return starts


def _improved(
    spark: SparkProblem, histograms: list[Histograms], starts: dict[Box, _Start], how: Settings, found: dict[Box, bool]
) -> dict[Box, _Start]:
    places = {box: [number for number in range(len(histograms)) if _is_open(box, number, how)] for box in starts}
    pairs = dict.fromkeys((with_clause(box, number, None), number) for box in starts for number in places[box])
    sums = spark.bin_sums(list(pairs))
    better: dict[Box, _Start] = {}
    for box, start in starts.items():
        together = box
        for number in places[box]:
            others, now = with_clause(box, number, None), clause_on(box, number)
            clause = best_clause(histograms[number], sums[others, number], start.judge, now).clause
            one = with_clause(box, number, clause)
            if one and one != box:
                found.setdefault(one, False)
                together = with_clause(together, number, clause)
        if together and together != box and len(together) <= how.most_clauses:
            # All clauses changed at once: only the next pass shows whether that is better.
            better[together] = start
            found.setdefault(together, start.is_natural)
    return better


def _is_open(box: Box, number: int, how: Settings) -> bool:
    return clause_on(box, number) is not None or len(box) < how.most_clauses
