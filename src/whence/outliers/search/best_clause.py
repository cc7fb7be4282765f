"""The best clause on one attribute, all others of the predicate being given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from whence.outliers.arrays import Floats, Ints
from whence.outliers.attribute import Attribute, Choice, Clause, Span
from whence.outliers.influence import Parts
from whence.outliers.search.histograms import Histograms, set_clause, span_clause

Judge = Callable[[Parts], Floats]
"""The score of every predicate: minus infinity for those out of the question."""

_TOGGLES = 12


@dataclass(frozen=True)
class Found:
    """A clause (None: none at all), its score, and the parts of it."""

    clause: Clause | None
    score: float
    parts: Parts


def best_clause(histograms: Histograms, sums: Floats, judge: Judge, now: Clause | None) -> Found:
    """The clause of the highest score, from the sums over bins; no clause at all is among the candidates."""
    none = _none(histograms, sums, judge)
    search = _best_span if histograms.attribute.is_ordered else _best_set
    found = search(histograms, sums, judge, now)
    return found if found.score > none.score else none


def _none(histograms: Histograms, sums: Floats, judge: Judge) -> Found:
    everything = np.ones((1, histograms.attribute.width), dtype=np.bool_)
    parts = histograms.sets(sums, everything)
    return Found(None, float(judge(parts)[0]), parts)


def _best_span(histograms: Histograms, sums: Floats, judge: Judge, now: Clause | None) -> Found:
    attribute = histograms.attribute
    cuts = histograms.cuts
    low_at, high_at = np.triu_indices(len(cuts), k=1)
    lows, highs = cuts[low_at], cuts[high_at]
    if isinstance(now, Span):
        lows, highs = np.append(lows, now.low), np.append(highs, now.high)
    found = _pick_span(histograms, sums, judge, lows, highs)
    for _ in range(3):  # every cut for one end, then for the other, from where the coarse look left off
        span = found.clause if isinstance(found.clause, Span) else Span(0, attribute.size)
        finer = _pick_span(histograms, sums, judge, *_sweeps(attribute, span))
        if finer.score <= found.score:
            break
        found = finer
    if attribute.nulls is not None:
        parts = histograms.sets(sums, attribute.allowed(attribute.nulls)[None])
        score = float(judge(parts)[0])
        if score > found.score:
            return Found(attribute.nulls, score, parts)
    return found


def _sweeps(attribute: Attribute, span: Span) -> tuple[Ints, Ints]:
    before, after = np.arange(span.high), np.arange(span.low + 1, attribute.size + 1)
    lows = np.concatenate([before, np.full(len(after), span.low)])
    return lows, np.concatenate([np.full(len(before), span.high), after])


def _pick_span(histograms: Histograms, sums: Floats, judge: Judge, lows: Ints, highs: Ints) -> Found:
    parts = histograms.spans(sums, lows, highs)
    scores = judge(parts)
    best = int(np.argmax(scores))
    clause = span_clause(histograms.attribute, lows[best], highs[best])
    return Found(clause, float(scores[best]), parts.take([best]))


def _best_set(histograms: Histograms, sums: Floats, judge: Judge, now: Clause | None) -> Found:
    attribute = histograms.attribute
    single = np.eye(attribute.size, attribute.width, dtype=np.bool_)
    parts = histograms.sets(sums, single)
    with np.errstate(all="ignore"):
        per_row = np.where(parts.removed > 0, parts.improvement / np.maximum(parts.removed, 1), 0).mean(axis=1)
    orders = [
        np.argsort(-per_row),
        np.argsort(-judge(parts)),
        np.argsort(-(parts.improvement.mean(axis=1) - parts.change)),
    ]
    prefixes = [np.cumsum(single[order], axis=0).astype(np.bool_) for order in orders]
    candidates = np.concatenate([single, *prefixes])
    if isinstance(now, Choice):
        candidates = np.concatenate([candidates, attribute.allowed(now)[None]])
    found, taken = _pick_set(histograms, sums, judge, candidates)
    for _ in range(_TOGGLES):  # one value in or out, as long as that helps
        other, changed = _pick_set(histograms, sums, judge, taken[None] ^ single)
        if other.score <= found.score:
            break
        found, taken = other, changed
    return found


def _pick_set(
    histograms: Histograms, sums: Floats, judge: Judge, candidates: np.ndarray[tuple[int, int], np.dtype[np.bool_]]
) -> tuple[Found, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    parts = histograms.sets(sums, candidates)
    scores = np.where(candidates.any(axis=1), judge(parts), -np.inf)
    best = int(np.argmax(scores))
    clause = set_clause(histograms.attribute, candidates[best])
    return Found(clause, float(scores[best]), parts.take([best])), candidates[best]
