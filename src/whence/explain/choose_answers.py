"""Choose the answers among the scored predicates: winners at some c that hold, second causes, and denser parts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from whence.explain.arrays import Bools
from whence.explain.chance import Verdict
from whence.explain.influence import Parts
from whence.explain.problem import Box, Problem
from whence.explain.request import Request
from whence.explain.search.archive import GRID, Archive, terms
from whence.explain.search.settings import DEFINITION

_SHORT = 6
"""The most terms that a box may have to be named although it is no winner."""

_APART = 0.1
"""The most overlap: of a second cause with other answers, and of an inner box with the rows outside its answer."""

_WORTHY = 0.3
"""Least share of the winner's influence that a second cause needs."""

_DENSER = 1.25
"""How many times the improvement per row of the outer box a box inside it needs."""

SAME = 0.9
"""From this share of common rows on, two answers are one."""


@dataclass(frozen=True)
class Choice:
    """A box of the archive that becomes an answer.

    `place` is its position in the archive, `cs` the values of c at which it is an answer, and `p_value` how often
    chance did as well.
    """

    place: int
    cs: tuple[float, ...]
    p_value: float | None
    is_natural: bool = False


def chosen_boxes(
    problem: Problem, archive: Archive, request: Request, judged: dict[float, Verdict]
) -> list[tuple[Box, Parts, Choice]]:
    """Return the boxes that become answers, in the order in which users see them."""
    if not len(archive):
        return []
    places = _sweep(problem, archive, request, judged) if request.c is None else _ranked(archive, request, judged)
    return [(archive.boxes[each.place], archive.parts.take([each.place]), each) for each in places]


def _sweep(problem: Problem, archive: Archive, request: Request, judged: dict[float, Verdict]) -> list[Choice]:
    """Return the answers over all values of c.

    First come the cautious winners from broad to narrow, then boxes over other rows or inside a winner, then the
    winners by definition that are not among them.
    """
    cautious = _frontier(archive, request, judged)
    if not cautious:
        return []
    cautious = sorted([*cautious, *_as_good(archive, request, judged, cautious)], key=lambda each: each.cs[0])
    beside = _find_second_causes(problem, archive, request, cautious)
    beside += _inside(problem, archive, request, [*cautious, *beside])
    winners: dict[int, list[float]] = {}
    for c in GRID[GRID <= DEFINITION]:
        winners.setdefault(archive.winner(float(c), request.lam), []).append(float(c))
    known = {each.place for each in (*cautious, *beside)}
    extra = [Choice(place, tuple(cs), cautious[0].p_value) for place, cs in winners.items() if place not in known]
    # However many others there are, three cautious winners stay.
    return [*_widest(cautious, max(3, request.top - len(extra) - len(beside))), *beside, *extra]


def _frontier(archive: Archive, request: Request, judged: dict[float, Verdict]) -> list[Choice]:
    """Return the cautious winner at every c at which the test against chance holds."""
    found: dict[int, list[float]] = {}
    value: dict[int, float | None] = {}
    for c in GRID:
        verdict = _nearest(judged, float(c))
        place = archive.best(float(c), request.lam)
        if verdict.holds and archive.is_positive(place, float(c), request.lam):
            found.setdefault(place, []).append(float(c))
            value.setdefault(place, verdict.p_value)
    return [
        Choice(place, tuple(cs), value[place], archive.is_natural(archive.boxes[place])) for place, cs in found.items()
    ]


def _as_good(archive: Archive, request: Request, judged: dict[float, Verdict], chosen: list[Choice]) -> list[Choice]:
    """Return boxes with natural edges that equal the winner within its error, though a simpler box was preferred."""
    known = {each.place for each in chosen}
    found: dict[int, list[float]] = {}
    for c in GRID:
        if _nearest(judged, float(c)).holds:
            for place in archive.near_natural(float(c), request.lam):
                is_short = terms(archive.boxes[place]) <= _SHORT
                if place not in known and is_short and archive.is_positive(place, float(c), request.lam):
                    found.setdefault(place, []).append(float(c))
    return [Choice(place, tuple(cs), _nearest(judged, cs[0]).p_value, True) for place, cs in found.items()]


def _find_second_causes(problem: Problem, archive: Archive, request: Request, chosen: list[Choice]) -> list[Choice]:
    """Return boxes with natural edges over other rows, each at the c at which it comes nearest to the winner."""
    taken = np.logical_or.reduce([problem.mask(archive.boxes[each.place]) for each in chosen])
    cs = [c for each in chosen for c in each.cs]
    found: list[Choice] = []
    for box in archive.natural:
        mask, place = problem.mask(box), archive.boxes.index(box)
        if (mask & taken).sum() > _APART * mask.sum():
            continue
        c = _nearest_to_winner(archive, request, place, cs)
        if c is not None:
            found.append(Choice(place, (c,), chosen[0].p_value))
            taken |= mask
    return found


def _inside(problem: Problem, archive: Archive, request: Request, chosen: list[Choice]) -> list[Choice]:
    """Return boxes with natural edges inside an answer whose rows each do far more than the answer's.

    The change of a hold-out is not divided by the number of rows. So with very many rows such a box wins at no c.
    """
    masks = [problem.mask(archive.boxes[each.place]) for each in chosen]
    cs = [c for each in chosen for c in each.cs]
    found: list[Choice] = []
    for box in archive.natural:
        mask, place = problem.mask(box), archive.boxes.index(box)
        if terms(box) > _SHORT or any(likeness(mask, other) >= SAME for other in masks):
            continue
        around = [
            each
            for each, other in zip(chosen, masks, strict=False)
            if (mask & ~other).sum() <= _APART * mask.sum()
            and archive.per_row(place) >= _DENSER * archive.per_row(each.place)
        ]
        c = _nearest_to_winner(archive, request, place, cs) if around else None
        if c is not None:
            found.append(Choice(place, (c,), chosen[0].p_value))
            masks.append(mask)
    return found


def _nearest_to_winner(archive: Archive, request: Request, place: int, cs: list[float]) -> float | None:
    """Return the c at which a box comes nearest to the winner, or None if it never comes near enough."""
    shares = {c: archive.share(place, c, request.lam) for c in cs if archive.is_positive(place, c, request.lam)}
    c = max(shares, key=lambda each: shares[each], default=None)
    return c if c is not None and shares[c] >= _WORTHY else None


def _widest(choices: list[Choice], count: int) -> list[Choice]:
    """Keep `count` choices in order, preferring natural edges, then those that are best at the most values of c."""
    kept = sorted(choices, key=lambda each: (not each.is_natural, -len(each.cs)))[:count]
    return [each for each in choices if each in kept]


def _ranked(archive: Archive, request: Request, judged: dict[float, Verdict]) -> list[Choice]:
    """Return the answers at one c by the cautious estimate. Where c is small, the winner by definition comes first."""
    c = float(request.c or 0.0)
    verdict = _nearest(judged, c)
    if not verdict.holds:
        return []
    scores = archive.parts.sober(c, request.lam)
    definition = archive.parts.influence(c, request.lam)
    order = list(dict.fromkeys([archive.best(c, request.lam), *np.argsort(-scores).tolist()]))
    if c <= DEFINITION:
        order = list(dict.fromkeys([archive.winner(c, request.lam), *order]))
    kept = [place for place in order if min(scores[place], definition[place]) > 0]
    # Many of these take nearly the same rows, and `grouped` makes them alternatives of one answer.
    return [Choice(int(place), (c, c), verdict.p_value) for place in kept[: 20 * request.top]]


def _nearest(judged: dict[float, Verdict], c: float) -> Verdict:
    """Return the verdict at the tested c nearest to this one. Without a test, everything holds."""
    return judged[min(judged, key=lambda each: abs(each - c))] if judged else Verdict(True)


def likeness(one: Bools, other: Bools) -> float:
    """Return the share of common rows among those that either mask takes (the Jaccard index)."""
    either = int((one | other).sum())
    return int((one & other).sum()) / either if either else 1.0
