"""Find boxes with natural edges: where rows of outliers differ most from the rows around them and from the hold-outs.

Influence falls off gently around its best predicate, so the edges of that predicate are partly luck. This module looks
for the box whose rows stand out most clearly (a scan statistic: net effect over the root of its size), then for one
inside it and one outside it, and so on. The search prefers such a box to a winner that is better only within its error.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from whence.explain.arrays import Floats, Ints
from whence.explain.attribute import Clause, Span
from whence.explain.influence import Parts, Scorer
from whence.explain.problem import Box, Problem, clause_on, with_clause
from whence.explain.search.best_clause import best_clause
from whence.explain.search.histograms import Histograms
from whence.explain.search.regression_tree import row_influence

_DEPTH = 3
"""How many boxes may be nested."""
_ROUNDS = 12
_LEAST = 20
"""The fewest rows of outliers in a box."""


def natural_boxes(scorer: Scorer, most_clauses: int, starts: list[Box]) -> list[Box]:
    """Return nested and neighbouring boxes that stand out, against the hold-outs and among the outliers' rows alone."""
    problem = scorer.problem
    effect = _effect(scorer)
    found: list[Box] = []
    outliers = np.flatnonzero(problem.owner < problem.outliers)
    roots = (
        [outliers] if problem.aggregate.is_independent or not problem.holdouts else [outliers, np.arange(problem.rows)]
    )
    waiting: list[tuple[Ints, Box, int]] = [(rows, (), 0) for rows in roots]
    while waiting:
        rows, outer, depth = waiting.pop()
        box = _clearest(problem, effect, rows, outer=outer, most_clauses=most_clauses, starts=starts)
        if box is None:
            continue
        found.append(box)
        inside = problem.mask(box)[rows]
        if depth + 1 < _DEPTH:
            waiting.append((np.intersect1d(rows[inside], outliers, assume_unique=True), box, depth + 1))
        # Look once for another box among the rows outside the outermost one: a second cause.
        if depth == 0:
            waiting.append((rows[~inside], (), 1))
    return list(dict.fromkeys(found))


def _effect(scorer: Scorer) -> Floats:
    """Return the effect of each row: its improvement, or for hold-outs the change in the first outlier's direction."""
    problem = scorer.problem
    falls = scorer.removal_falls()
    effect = row_influence(scorer)
    sign = -1.0 if problem.complaints[0].is_too_low(float(scorer.before[0])) else 1.0
    is_holdout = problem.owner >= problem.outliers
    effect[is_holdout] = sign * falls[is_holdout]
    return effect


@dataclass(frozen=True)
class _Flat:
    """The problem with all rows in one group, as Histograms reads it."""

    problem: Problem
    owner: Ints
    each: Floats
    groups: int = 1


class _Contrast:
    """Scores boxes by how clearly they stand out. It takes the place of the Scorer in Histograms."""

    def __init__(self, problem: Problem, effect: Floats, is_centred: bool) -> None:
        self.problem = _Flat(problem, np.zeros(problem.rows, dtype=np.int64), problem.each)
        is_outlier = problem.owner < problem.outliers
        share = np.where(is_outlier, 1 / problem.outliers, -1 / max(problem.holdouts, 1))
        if is_centred:
            rows = np.bincount(problem.owner, problem.each, minlength=problem.groups)
            means = np.bincount(problem.owner, effect * problem.each, minlength=problem.groups) / np.maximum(rows, 1)
            effect = effect - means[problem.owner]
        self.weights = np.column_stack([is_outlier, effect * share, share**2]) * problem.each[:, None]
        self._size = float(self.weights[:, 2].sum()) if is_centred else np.inf

    def of_sums(self, sums: Floats) -> Parts:
        count, net, size = (sums[:, 0, number] for number in range(3))
        # A box of nearly all rows has hardly any rows around it. The bound keeps the divisor above zero.
        left = np.maximum(1 - size / self._size, 1e-3)
        clarity = np.where(count >= _LEAST, net / np.sqrt(np.maximum(size * left, 1e-300)), -np.inf)
        none = np.zeros(len(sums))
        return Parts(
            improvement=clarity[:, None],
            removed=count[:, None],
            change=none,
            spread=none[:, None],
            expected_change=none,
            change_spread=none,
        )


def _clarity(parts: Parts) -> Floats:
    return parts.improvement[:, 0]


def _clearest(
    problem: Problem, effect: Floats, rows: Ints, outer: Box, most_clauses: int, starts: list[Box]
) -> Box | None:
    if problem.each[rows[problem.owner[rows] < problem.outliers]].sum() < 3 * _LEAST:
        return None
    part = problem.take(rows)
    has_holdouts = bool((part.owner >= part.outliers).any())
    scorer = _Contrast(part, effect[rows], is_centred=bool(outer) or not has_holdouts)
    histograms = [Histograms(scorer, each, every_cut=True) for each in part.attributes]  # type: ignore[arg-type]
    best: Box = ()
    best_score = 0.0
    for start in [(), *starts]:
        box, score = _climb(part, histograms, start, most_clauses)
        if score > best_score:
            best, best_score = box, score
    merged = _within(problem, best, outer)
    # A box that says no more than the outer one is found already.
    return merged if merged and merged != outer and len(merged) <= most_clauses else None


def _climb(part: Problem, histograms: list[Histograms], start: Box, most_clauses: int) -> tuple[Box, float]:
    box, score = start, -np.inf
    for _ in range(_ROUNDS):
        before = score
        candidates = range(len(histograms)) if box else [_first(histograms)]
        for number in candidates:
            now = clause_on(box, number)
            if now is None and len(box) >= most_clauses:
                continue
            others = with_clause(box, number, None)
            rows = np.flatnonzero(part.mask(others)) if others else None
            found = best_clause(histograms[number], histograms[number].sums(rows), _clarity, now)
            if found.score > score:
                box, score = with_clause(box, number, found.clause), found.score
        if score <= before + 1e-9 * abs(before):
            break
    return box, score


def _first(histograms: list[Histograms]) -> int:
    """Return the attribute on which a single clause stands out most."""
    scores = [best_clause(each, each.sums(None), _clarity, None).score for each in histograms]
    return int(np.argmax(scores))


def _within(problem: Problem, box: Box, outer: Box) -> Box:
    """Return the box cut to the outer one, so that its clauses alone say where it lies."""
    for number, clause in outer:
        mine = clause_on(box, number)
        box = with_clause(box, number, clause if mine is None else _intersect(problem, number, mine, clause))
    return box


def _intersect(problem: Problem, number: int, one: Clause, other: Clause) -> Clause:
    if isinstance(one, Span) and isinstance(other, Span):
        return problem.attributes[number].intersect(one, other) or other
    return one
