"""Find the best clause on one attribute while all other clauses of the predicate stay fixed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from whence.explain.arrays import Floats, Ints
from whence.explain.attribute import Attribute, Choice, Clause, Span
from whence.explain.influence import Parts
from whence.explain.search.histograms import Histograms, span_clause, span_places

Judge = Callable[[Parts], Floats]
"""Function that scores every predicate. Minus infinity rules a predicate out."""

_TOGGLES = 12
"""The most single values that are added to or taken from a set after it is built."""

MOST_IN_SET = 10
"""The most values of a set: nobody reads a longer one to the end."""


@dataclass(frozen=True)
class BestClause:
    """The best clause (None: no clause at all), its score, and the parts of its influence."""

    clause: Clause | None
    score: float
    parts: Parts


def best_clause(histograms: Histograms, sums: Floats, judge: Judge, now: Clause | None) -> BestClause:
    """Return the clause with the highest score, from the sums over bins. Having no clause is a candidate, too."""
    none = _none(histograms, sums, judge)
    search = _best_span if histograms.attribute.is_ordered else _best_set
    found = search(histograms, sums, judge, now)
    return found if found.score > none.score else none


def _none(histograms: Histograms, sums: Floats, judge: Judge) -> BestClause:
    parts = histograms.of_sums(sums.sum(axis=1)[None])
    return BestClause(None, float(judge(parts)[0]), parts)


def _best_span(histograms: Histograms, sums: Floats, judge: Judge, now: Clause | None) -> BestClause:
    attribute = histograms.attribute
    cuts = histograms.cuts
    low_at, high_at = span_places(len(cuts), is_cyclic=attribute.is_cyclic)
    lows, highs = cuts[low_at], cuts[high_at]
    if isinstance(now, Span):
        lows, highs = np.append(lows, now.low), np.append(highs, now.high)
    below = histograms.running(sums)
    found = _pick_span(histograms, below, judge, lows, highs)
    for _ in range(3):  # every cut for one end, then for the other, from where the coarse look left off
        span = found.clause if isinstance(found.clause, Span) else Span(0, attribute.size)
        finer = _pick_span(histograms, below, judge, *_sweeps(histograms, span))
        if finer.score <= found.score:
            break
        found = finer
    if attribute.nulls is not None:
        parts = histograms.of_sums(sums[:, attribute.size][None])
        score = float(judge(parts)[0])
        if score > found.score:
            return BestClause(attribute.nulls, score, parts)
    return found


def _sweeps(histograms: Histograms, span: Span) -> tuple[Ints, Ints]:
    """Return the span with every other low end, and with every other high end."""
    attribute = histograms.attribute
    cuts = histograms.swept
    lows, highs = cuts[cuts < span.high], cuts[cuts > span.low]
    if attribute.is_cyclic:
        lows, highs = cuts[(cuts < attribute.size) & (cuts != span.high)], cuts[(cuts > 0) & (cuts != span.low)]
    return (
        np.concatenate([lows, np.full(len(highs), span.low)]),
        np.concatenate([np.full(len(lows), span.high), highs]),
    )


def _pick_span(histograms: Histograms, below: Floats, judge: Judge, lows: Ints, highs: Ints) -> BestClause:
    parts = histograms.spans(below, lows, highs)
    scores = judge(parts)
    best = int(np.argmax(scores))
    clause = span_clause(histograms.attribute, lows[best], highs[best])
    return BestClause(clause, float(scores[best]), parts.take([best]))


def _best_set(histograms: Histograms, sums: Floats, judge: Judge, now: Clause | None) -> BestClause:
    """Try single values, then growing sets in three orders, then add or remove one value while that helps."""
    attribute = histograms.attribute
    single = np.ascontiguousarray(sums[:, : attribute.size].swapaxes(0, 1))
    parts = histograms.of_sums(single)
    scores = judge(parts)
    best = int(np.argmax(scores))
    found, taken = BestClause(Choice((best,)), float(scores[best]), parts.take([best])), {best}
    # Sets grow one value at a time in each order, as all subsets would be too many.
    for order in _orders(parts, scores):
        prefixes = histograms.of_sums(np.cumsum(single[order], axis=0))
        found, taken = _better(found, taken, prefixes, judge, _first_of(order))
    if isinstance(now, Choice) and max(now.codes) < attribute.size:
        kept = histograms.of_sums(single[list(now.codes)].sum(axis=0)[None])
        found, taken = _better(found, taken, kept, judge, lambda _: set(now.codes))
    for _ in range(_TOGGLES):
        before = found.score
        sign = np.ones(attribute.size)
        sign[list(taken)] = -1.0
        toggled = histograms.of_sums(single[list(taken)].sum(axis=0) + sign[:, None, None] * single)
        found, taken = _better(found, taken, toggled, judge, _toggled(taken))
        if found.score <= before:
            break
    return replace(found, clause=_choice(attribute, taken))


def _orders(parts: Parts, scores: Floats) -> list[Ints]:
    """Return three orders of values: by effect per row, by own score, by effect on outliers less that on hold-outs."""
    with np.errstate(all="ignore"):
        per_row = np.where(parts.removed > 0, parts.improvement / np.maximum(parts.removed, 1), 0).mean(axis=1)
        net = parts.improvement.mean(axis=1) - parts.change
    return [np.argsort(-key)[:MOST_IN_SET] for key in (per_row, scores, net)]


def _better(
    found: BestClause, taken: set[int], parts: Parts, judge: Judge, codes: Callable[[int], set[int]]
) -> tuple[BestClause, set[int]]:
    """Return the best of some sets if it beats `found` and has at most MOST_IN_SET values."""
    scores = judge(parts)
    for place in np.argsort(-scores):
        if scores[place] <= found.score:
            break
        wanted = codes(int(place))
        # An empty set takes no rows: it is no clause.
        if 0 < len(wanted) <= MOST_IN_SET:
            return BestClause(None, float(scores[place]), parts.take([int(place)])), wanted
    return found, taken


def _first_of(order: Ints) -> Callable[[int], set[int]]:
    return lambda place: {int(code) for code in order[: place + 1]}


def _toggled(taken: set[int]) -> Callable[[int], set[int]]:
    return lambda place: taken ^ {place}


def _choice(attribute: Attribute, taken: set[int]) -> Clause | None:
    return None if len(taken) == attribute.width else Choice(tuple(sorted(taken)))
