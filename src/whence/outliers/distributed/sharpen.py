"""Gives predicates that coarse bins or a sample found the best ends that all rows know, in a few passes."""

from __future__ import annotations

from collections.abc import Sequence

from whence.outliers.distributed.far import Far
from whence.outliers.influence import Scorer
from whence.outliers.problem import Box, clause_on, with_clause
from whence.outliers.search.archive import Archive
from whence.outliers.search.best_clause import best_clause
from whence.outliers.search.boxes import sober_judge
from whence.outliers.search.histograms import Histograms
from whence.outliers.search.settings import Settings

_ROUNDS = 3
_EVERY = 3
"""At every third c a winner is sharpened, as neighbours in c share theirs."""


def sharpen(far: Far, scorer: Scorer, archive: Archive, how: Settings, cs: Sequence[float]) -> list[Box]:
    """Predicates that are better than the winners at some c, or might be.

    Under all other clauses of a predicate, the sums over fine bins tell the best clause on each attribute; one pass
    makes them for all winners. All clauses changed at once are a guess, which the next pass puts to the test.
    """
    histograms = [Histograms(scorer, each, far.whole) for each in far.problem.attributes]
    starts: dict[Box, float] = {}
    for c in cs[::_EVERY]:
        for box in archive.top(c, how.lam, 1):
            starts.setdefault(box, c)
    found: list[Box] = []
    for _ in range(_ROUNDS):
        if not starts or how.is_over(archive):
            break
        starts = _improved(far, histograms, starts, how, found)
    return list(dict.fromkeys([*found, *starts]))


def _improved(
    far: Far, histograms: list[Histograms], starts: dict[Box, float], how: Settings, found: list[Box]
) -> dict[Box, float]:
    places = {box: [number for number in range(len(histograms)) if _is_open(box, number, how)] for box in starts}
    pairs = dict.fromkeys((with_clause(box, number, None), number) for box in starts for number in places[box])
    sums = far.bin_sums(list(pairs))
    better: dict[Box, float] = {}
    for box, c in starts.items():
        together = box
        for number in places[box]:
            others, now = with_clause(box, number, None), clause_on(box, number)
            clause = best_clause(histograms[number], sums[others, number], sober_judge(c, how), now).clause
            one = with_clause(box, number, clause)
            if one and one != box:
                found.append(one)
                together = with_clause(together, number, clause)
        if together and together != box and len(together) <= how.most_clauses:
            better[together] = c
    return better


def _is_open(box: Box, number: int, how: Settings) -> bool:
    return clause_on(box, number) is not None or len(box) < how.most_clauses
