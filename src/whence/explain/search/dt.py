"""The DT search (Scorpion, 4.8.1): partition the rows by influence with decision trees, intersect, merge.

One tree partitions the rows of outliers, another those of hold-outs. The slope of the threshold is that of the authors'
program, because the printed one has the wrong sign.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from whence.explain.arrays import Floats, Ints
from whence.explain.attribute import Attribute, Choice, Clause, Span
from whence.explain.influence import Scorer
from whence.explain.problem import Box, Problem, clause_on, with_clause
from whence.explain.search.archive import Archive
from whence.explain.search.merger import merge
from whence.explain.search.regression_tree import row_influence
from whence.explain.search.settings import Settings

# The threshold falls from _TAU_MOST to _TAU_LEAST between _INFLECTION of the range of influences and its end.
_TAU_LEAST, _TAU_MOST, _INFLECTION = 0.001, 0.05, 0.5
_LEAST_SHARE = 0.0025
"""A node with less than this share of the rows is not split: noise alone would split it down to single rows."""

_MOST_CUTS = 8
"""The most hold-out boxes that outlier boxes are intersected with."""


def dt(scorer: Scorer, how: Settings) -> Archive:
    """Partition both sides, intersect the partitions, merge the boxes, and return all boxes that were scored."""
    problem, archive = scorer.problem, Archive()
    is_outlier = problem.owner < problem.outliers
    gains = _Influence(row_influence(scorer))
    boxes = _partition(problem, gains, np.flatnonzero(is_outlier), how)
    if problem.holdouts:
        changes = _Influence(np.abs(scorer.removal_falls()))
        quiet = _partition(problem, changes, np.flatnonzero(~is_outlier), how)
        boxes = _synchronised(boxes, _loudest(problem, changes, quiet))
    merge(scorer, boxes, how, archive)
    return archive


class _Influence:
    """The influence of each row, with its least and greatest value."""

    def __init__(self, rows: Floats) -> None:
        self.rows = rows
        self.low, self.high = float(rows.min(initial=0.0)), float(rows.max(initial=0.0))

    def threshold(self, most: float) -> float:
        """Return the spread a node may have. The more influential its best row (`most`), the smaller the spread."""
        width = self.high - self.low
        turn = self.low + _INFLECTION * width
        share = (self.high - most) / (self.high - turn) if self.high > turn else 0.0
        return min(_TAU_MOST, _TAU_LEAST + (_TAU_MOST - _TAU_LEAST) * share) * width


@dataclass(frozen=True)
class _Halves:
    """A split of a node on one attribute, with its error."""

    error: float
    clauses: tuple[Clause, Clause]
    number: int


def _partition(problem: Problem, influence: _Influence, rows: Ints, how: Settings) -> list[Box]:
    least = max(2, int(_LEAST_SHARE * len(rows)))
    leaves: list[Box] = []
    waiting: list[tuple[Box, Ints]] = [((), rows)]
    while waiting:
        box, inside = waiting.pop()
        halves = _bisection(problem, influence, inside, box, how) if len(inside) >= 2 * least else None
        if halves is None or _is_even(problem, influence, inside):
            leaves.append(box)
            continue
        attribute = problem.attributes[halves.number]
        for clause in halves.clauses:
            kept = inside[attribute.allowed(clause)[attribute.codes[inside]]]
            waiting.append((with_clause(box, halves.number, clause), kept))
    return [box for box in leaves if box]


def _is_even(problem: Problem, influence: _Influence, rows: Ints) -> bool:
    deviations = _deviations(problem.owner[rows], influence.rows[rows], problem.groups)
    return bool(np.all(deviations <= influence.threshold(float(influence.rows[rows].max()))))


def _deviations(owner: Ints, values: Floats, groups: int) -> Floats:
    counts = np.maximum(np.bincount(owner, minlength=groups), 1)
    means = np.bincount(owner, values, minlength=groups) / counts
    return np.sqrt(np.maximum(np.bincount(owner, values**2, minlength=groups) / counts - means**2, 0.0))


def _bisection(problem: Problem, influence: _Influence, rows: Ints, box: Box, how: Settings) -> _Halves | None:
    best: _Halves | None = None
    owner, values = problem.owner[rows], influence.rows[rows]
    for number, attribute in enumerate(problem.attributes):
        if clause_on(box, number) is None and len(box) >= how.most_clauses:
            continue
        codes = attribute.codes[rows]
        clauses = _halves(attribute, clause_on(box, number), codes, values)
        if clauses is None:
            continue
        is_left = attribute.allowed(clauses[0])[codes]
        sides = [_deviations(owner[side], values[side], problem.groups) for side in (is_left, ~is_left)]
        shares = [np.bincount(owner[side], minlength=problem.groups) for side in (is_left, ~is_left)]
        combined = sum(side * share for side, share in zip(sides, shares, strict=True)) / np.maximum(sum(shares), 1)
        error = float(np.max(combined))
        if is_left.any() and not is_left.all() and (best is None or error < best.error):
            best = _Halves(error, clauses, number)
    return best


def _halves(attribute: Attribute, now: Clause | None, codes: Ints, values: Floats) -> tuple[Clause, Clause] | None:
    """Return the bisection of an attribute: at the middle of a range, or of its values sorted by mean influence."""
    if attribute.is_ordered:
        low, high = (now.low, now.high) if isinstance(now, Span) else (0, attribute.size)
        middle = (attribute.lows[low] + attribute.highs[high - 1]) / 2
        cut = int(np.clip(np.searchsorted(attribute.lows, middle, side="right"), low + 1, high))
        return (Span(low, cut), Span(cut, high)) if cut < high else None
    counts = np.bincount(codes, minlength=attribute.width)
    means = np.bincount(codes, values, minlength=attribute.width) / np.maximum(counts, 1)
    used = [int(code) for code in np.argsort(means) if counts[code] and code < attribute.size]
    if len(used) < 2:
        return None
    half = len(used) // 2
    return Choice(tuple(sorted(used[:half]))), Choice(tuple(sorted(used[half:])))


def _loudest(problem: Problem, influence: _Influence, boxes: list[Box]) -> list[Box]:
    """Return the hold-out boxes whose rows change their values most."""
    means = [float(np.mean(influence.rows[problem.mask(box)])) for box in boxes]
    return [boxes[place] for place in np.argsort(means)[::-1][:_MOST_CUTS]]


def _synchronised(boxes: list[Box], across: list[Box]) -> list[Box]:
    """Return the outlier boxes, and their intersections with influential hold-out boxes."""
    pieces = list(boxes)
    for box in boxes:
        pieces += [piece for piece in (_intersection(box, other) for other in across) if piece]
    return list(dict.fromkeys(pieces))


def _intersection(one: Box, other: Box) -> Box:
    for number, clause in other:
        mine = clause_on(one, number)
        if isinstance(mine, Span) and isinstance(clause, Span):
            low, high = max(mine.low, clause.low), min(mine.high, clause.high)
            if low >= high:
                return ()
            one = with_clause(one, number, Span(low, high))
        elif mine is None:
            one = with_clause(one, number, clause)
    return one
