"""Test answers against chance: predicates found on one half of the rows are tried on the other half.

A permutation test compares the influence of a predicate on rows that were not searched with its influence after the
rows are shuffled. With hold-outs, rows are shuffled among all groups: if outliers and hold-outs did not differ, it
would not matter which row belongs to which. Without hold-outs, values are shuffled among the rows of each group. A
predicate is refused if chance does as well, or if it does no good there. Both halves take turns, for two ways to cut
them, and the mean counts, because one trial alone tells little.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import cycle, islice

import numpy as np

from whence.explain.arrays import Bools, Ints
from whence.explain.influence import Scorer
from whence.explain.problem import Box, Problem
from whence.explain.search.archive import Archive

FEWEST = 30
"""With fewer rows behind the outliers the test cannot tell anything, and refuses nothing."""

_HALVES = 400
"""From so many rows on, the test searches one half and tries the other. Below, it searches all rows again and again."""

_DEALS = 99
"""Shuffles of the permutation test: with 99, the least p-value is 0.01."""
_CUTS = 2
"""How often the rows are cut into halves.

With one trial, 16 of 96 comparisons with NAIVE on fresh rows were lost, by up to 6.5 standard errors. With four trials
(two halves of two cuts) 14 were lost, by 2.0 at most (docs/benchmarks.md).
"""
_SEARCHED_DEALS = 19
"""Shuffles where each one needs a search: with 19, the least p-value is 0.05."""
_MOST_ROWS = 20_000
"""The most rows of a half that are tried."""

Search = Callable[[Problem], Archive]


@dataclass(frozen=True)
class Verdict:
    """Whether the predicate found at a c holds, and its p-value (None: too few rows to tell)."""

    holds: bool
    p_value: float | None = None


def verdicts(problem: Problem, search: Search, cs: Sequence[float], lam: float, seed: int = 0) -> dict[float, Verdict]:
    """Return for every c whether the predicate found there holds on rows that were not searched."""
    outlier_rows = int((problem.owner < problem.outliers).sum())
    random = np.random.default_rng(seed)
    if outlier_rows < FEWEST:
        return {c: Verdict(True) for c in cs}
    if outlier_rows < _HALVES:
        return _by_searching_again(problem, search, cs, lam, random)
    trials = [trial for trial in _trials(problem, search, cs, lam, random) if trial.boxes]
    if not trials:
        return {c: Verdict(False, 1.0) for c in cs}
    tried = [_influences(Scorer(each.problem, is_light=True), each.masks, each.boxes, lam) for each in trials]
    means = {c: float(np.mean([influence[c] for influence in tried])) for c in cs}
    values = _p_values(trials, means, lam, random)
    # Better than chance is not enough: it must do more good than harm where it was not searched.
    return {c: Verdict(values[c] <= 0.01 and means[c] > 0, values[c]) for c in cs}


@dataclass(frozen=True)
class _Trial:
    """The boxes found at each c on one half of the rows, and the other half as the problem to try them on."""

    problem: Problem
    boxes: dict[float, Box]

    @cached_property
    def masks(self) -> dict[Box, Bools]:
        return {box: self.problem.mask(box) for box in set(self.boxes.values())}


def _trials(
    problem: Problem, search: Search, cs: Sequence[float], lam: float, random: np.random.Generator
) -> Iterator[_Trial]:
    """Search and try both halves in turn, for each of several random cuts, because one cut alone may mislead."""
    # Without a removable state each search is slow, so one cut has to do.
    for _ in range(_CUTS if problem.aggregate.is_removable else 1):
        first, second = _halves(problem, random)
        for searched, tried in ((first, second), (second, first)):
            archive = search(problem.take(searched))
            boxes = {c: archive.boxes[archive.best(c, lam)] for c in cs} if len(archive) else {}
            yield _Trial(problem.take(_thinned(tried, random)), boxes)


def _halves(problem: Problem, random: np.random.Generator) -> tuple[Ints, Ints]:
    """Cut every group into two random halves, and return the rows of each."""
    order = np.lexsort((random.random(problem.rows), problem.owner))
    place = np.arange(problem.rows) - problem.offsets[problem.owner[order]]
    is_first = place % 2 == 0
    return np.sort(order[is_first]), np.sort(order[~is_first])


def _thinned(rows: Ints, random: np.random.Generator) -> Ints:
    return rows if len(rows) <= _MOST_ROWS else np.sort(random.choice(rows, _MOST_ROWS, replace=False))


def _p_values(
    trials: Sequence[_Trial], means: dict[float, float], lam: float, random: np.random.Generator
) -> dict[float, float]:
    """Return how often shuffled rows give as much influence as the trials do on average."""
    beaten = dict.fromkeys(means, 0)
    for trial in islice(cycle(trials), _DEALS):
        dealt, order = deal(replace(trial.problem, attributes=()), random)
        # Attributes move with their rows, so the mask of a predicate moves in the same order.
        moved = {box: mask if order is None else mask[order] for box, mask in trial.masks.items()}
        for c, influence in _influences(Scorer(dealt, is_light=True), moved, trial.boxes, lam).items():
            beaten[c] += influence >= means[c]
    # The +1 counts the observed rows as one of the shuffles, so that no p-value is 0.
    return {c: (count + 1) / (_DEALS + 1) for c, count in beaten.items()}


def _influences(scorer: Scorer, masks: dict[Box, Bools], boxes: dict[float, Box], lam: float) -> dict[float, float]:
    parts = {box: scorer.quick(mask) for box, mask in masks.items()}
    return {c: float(parts[box].influence(c, lam)[0]) for c, box in boxes.items()}


def deal(problem: Problem, random: np.random.Generator) -> tuple[Problem, Ints | None]:
    """Return the problem with its rows shuffled, and their new order, or None if only values moved within groups."""
    if problem.holdouts:
        order = random.permutation(problem.rows)
        attributes = tuple(attribute.take(order) for attribute in problem.attributes)
        columns = tuple(column[order] for column in problem.columns)
        return replace(problem, columns=columns, attributes=attributes), order
    within = np.lexsort((random.random(problem.rows), problem.owner))
    return replace(problem, columns=tuple(column[within] for column in problem.columns)), None


def _by_searching_again(
    problem: Problem, search: Search, cs: Sequence[float], lam: float, random: np.random.Generator
) -> dict[float, Verdict]:
    """Judge few rows: compare the best predicate with the best ones found after shuffling."""

    def best(each: Problem) -> dict[float, float]:
        archive = search(each)
        return {c: float(archive.parts.sober(c, lam).max()) if len(archive) else -np.inf for c in cs}

    observed = best(problem)
    beaten = dict.fromkeys(cs, 0)
    for _ in range(_SEARCHED_DEALS):
        for c, score in best(deal(problem, random)[0]).items():
            beaten[c] += score >= observed[c]
    values = {c: (count + 1) / (_SEARCHED_DEALS + 1) for c, count in beaten.items()}
    # 0.05 is the least p-value of 19 shuffles: none of them does as well.
    return {c: Verdict(bool(value <= 0.05 and np.isfinite(observed[c])), value) for c, value in values.items()}
