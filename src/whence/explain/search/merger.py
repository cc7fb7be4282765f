"""The merger (Scorpion, 4.6.3 and 4.9): grow a box to its bounding box with a neighbour while its influence rises."""

from __future__ import annotations

from whence.explain.attribute import Choice, Clause, Span
from whence.explain.influence import Scorer
from whence.explain.problem import Box, clause_on
from whence.explain.search.archive import Archive
from whence.explain.search.settings import Settings

_STARTS = 12
"""Boxes of the input that are grown at each c."""
_GROWN = 3
"""Boxes of the whole archive that are grown at each c."""
_NEIGHBOURS = 60
"""The most bounding boxes that are scored in one step."""


def merge(scorer: Scorer, boxes: list[Box], how: Settings, archive: Archive) -> None:
    """Grow the best boxes at every c, from high to low. The boxes grown at one c start the next (the cache of 4.9)."""
    for box in boxes:
        if how.is_over(archive):
            return
        archive.add([box], scorer.quick(scorer.problem.mask(box)))
    # A high c has small boxes as winners, and growing can only make them larger.
    for c in sorted(how.cs, reverse=True):
        for box in _starts(scorer, boxes, c, how, archive):
            if how.is_over(archive):
                return
            _grow(scorer, box, boxes, c=c, how=how, archive=archive)


def _starts(scorer: Scorer, boxes: list[Box], c: float, how: Settings, archive: Archive) -> list[Box]:
    """Return the boxes to grow at this c: the best of the input, and the best that a higher c has grown."""
    given = set(boxes)
    order = archive.top(c, how.lam, len(archive), by_definition=True)
    mine = [box for box in order if box in given]
    if scorer.problem.aggregate.is_independent:  # 4.9: of independent aggregates the top quartile is enough
        mine = mine[: max(1, len(mine) // 4)]
    return list(dict.fromkeys([*mine[:_STARTS], *order[:_GROWN]]))


def _grow(scorer: Scorer, box: Box, boxes: list[Box], c: float, how: Settings, archive: Archive) -> None:
    score = float(scorer.quick(scorer.problem.mask(box)).influence(c, how.lam)[0])
    while True:
        grown = {union(box, other) for other in boxes if other != box and are_adjacent(box, other)} - {box, ()}
        best: tuple[float, Box] | None = None
        # Sets have no fixed order. Sorting makes the search repeatable.
        for candidate in sorted(grown, key=str)[:_NEIGHBOURS]:
            parts = scorer.quick(scorer.problem.mask(candidate))
            archive.add([candidate], parts)
            influence = float(parts.influence(c, how.lam)[0])
            if influence > score and (best is None or influence > best[0]):
                best = influence, candidate
        if best is None or how.is_over(archive):
            return
        score, box = best


def are_adjacent(one: Box, other: Box) -> bool:
    """Return whether two boxes touch or overlap on every attribute on which both have a range."""
    return all(_touch(clause, clause_on(other, number)) for number, clause in one)


def _touch(one: Clause, other: Clause | None) -> bool:
    if isinstance(one, Span) and isinstance(other, Span):
        return one.low <= other.high and other.low <= one.high
    return True


def union(one: Box, other: Box) -> Box:
    """Return the bounding box. It has a clause only on attributes on which both boxes have one."""
    merged: list[tuple[int, Clause]] = []
    for number, clause in one:
        beside = clause_on(other, number)
        if isinstance(clause, Span) and isinstance(beside, Span):
            merged.append((number, Span(min(clause.low, beside.low), max(clause.high, beside.high))))
        elif isinstance(clause, Choice) and isinstance(beside, Choice):
            merged.append((number, Choice(tuple(sorted({*clause.codes, *beside.codes})))))
    return tuple(merged)
