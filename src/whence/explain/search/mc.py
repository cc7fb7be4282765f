"""The MC search (Scorpion, 4.8.2): start from single bins and values, join attributes, merge in every round.

A unit is dropped only if no part of it can win: if neither its influence without hold-outs nor that of its best row
exceeds the best so far. That test is safe only if the aggregate is anti-monotone on the data at hand. Otherwise no unit
is dropped by it.
"""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np

from whence.explain.attribute import Choice, Span
from whence.explain.influence import Scorer
from whence.explain.problem import Box
from whence.explain.search.archive import Archive
from whence.explain.search.merger import merge
from whence.explain.search.regression_tree import row_influence
from whence.explain.search.settings import Settings

_MOST_UNITS = 2000
"""The most units of a round, the most promising first."""


def mc(scorer: Scorer, how: Settings) -> Archive:
    """Run rounds with one more attribute each, until merging no longer improves the best influence."""
    archive = Archive()
    problem = scorer.problem
    is_safe = all(problem.aggregate.is_anti_monotone(problem.columns, each.kind) for each in problem.complaints)
    alone = row_influence(scorer)
    units = _units(scorer)
    best = -np.inf
    for size in range(1, how.most_clauses + 1):
        units = _keep_promising(scorer, units, alone, best, how, is_safe=is_safe)
        merge(scorer, units, how, archive)
        if how.is_over(archive) or not len(archive):
            break
        now = max(float(archive.parts.influence(c, how.lam).max()) for c in how.cs)
        if now <= best:
            break
        best = now
        if size < how.most_clauses:
            units = _joined(units)
    return archive


def _units(scorer: Scorer) -> list[Box]:
    """Return one box for each equal-width bin or single value of each attribute."""
    boxes: list[Box] = []
    for number, attribute in enumerate(scorer.problem.attributes):
        if attribute.is_ordered:
            cuts = [0, *attribute.even.tolist(), attribute.size]
            boxes += [((number, Span(low, high)),) for low, high in pairwise(cuts) if low < high]
        else:
            boxes += [((number, Choice((code,))),) for code in range(attribute.size)]
    return boxes


def _keep_promising(
    scorer: Scorer, units: list[Box], alone: object, best: float, how: Settings, *, is_safe: bool
) -> list[Box]:
    """Return the units that may still win at some c, the most promising first."""
    rows = np.asarray(alone)
    scored = []
    for box in units:
        mask = scorer.problem.mask(box)
        if not mask.any():
            continue
        parts = scorer.quick(mask)
        whole = max(float(parts.influence(c, 1.0)[0]) for c in how.cs)
        # Infinity keeps the unit: without anti-monotonicity a part of it may beat the whole.
        promise = max(how.lam * whole if is_safe else np.inf, how.lam * float(rows[mask].max()))
        if promise > best:
            scored.append((whole, box))
    scored.sort(key=lambda each: -each[0])
    return [box for _, box in scored[:_MOST_UNITS]]


def _joined(units: list[Box]) -> list[Box]:
    """Return the units with one more attribute: unions of two units that agree on all attributes they share."""
    joined = set()
    for one, other in combinations(units, 2):
        both = dict(one) | dict(other)
        agree = all(dict(one).get(number, clause) == clause for number, clause in other)
        if agree and len(both) == len(one) + 1:
            joined.add(tuple(sorted(both.items(), key=lambda each: each[0])))
        if len(joined) >= _MOST_UNITS:
            break
    return list(joined)
