"""Group predicates that take nearly the same rows into one answer with alternatives."""

from __future__ import annotations

from dataclasses import replace

from whence.explain.answer import Answer, Exact
from whence.explain.arrays import Bools
from whence.explain.choose_answers import SAME, Choice, likeness
from whence.explain.influence import Parts
from whence.explain.problem import Box
from whence.explain.request import Request
from whence.explain.search.archive import Archive
from whence.explain.search.settings import DEFINITION


def grouped(scorer: Exact, archive: Archive, chosen: list[tuple[Box, Parts, Choice]], request: Request) -> list[Answer]:
    """Return the answers, at most as many as the request asks for."""
    leaders: list[tuple[Bools, Answer]] = []
    for box, parts, choice in chosen:
        mask = scorer.problem.mask(box)
        twin = next((place for place, (rows, _) in enumerate(leaders) if likeness(rows, mask) >= SAME), None)
        if twin is not None and not _is_better_by_definition(leaders[twin][1], parts, choice, request):
            rows, leader = leaders[twin]
            others = (*leader.alternatives, scorer.problem.predicate(box))
            c_range = (min(leader.c_range[0], *choice.cs), max(leader.c_range[1], *choice.cs))
            leaders[twin] = rows, replace(leader, alternatives=tuple(dict.fromkeys(others)), c_range=c_range)
        # Later predicates may still join the answers there are, so the loop goes on.
        elif len(leaders) < request.top:
            predicates = tuple(scorer.problem.predicate(each) for each in archive.equals(box))
            c_range = (min(choice.cs), max(choice.cs))
            predicate, (exact, after) = scorer.problem.predicate(box), scorer.exact(box)
            leaders.append(
                (
                    mask,
                    Answer(
                        box=box,
                        predicate=predicate,
                        parts=exact,
                        c_range=c_range,
                        after=after,
                        p_value=choice.p_value,
                        alternatives=predicates,
                    ),
                )
            )
    return [answer for _, answer in leaders]


def _is_better_by_definition(leader: Answer, parts: Parts, choice: Choice, request: Request) -> bool:
    """Return whether a box beats the leader by definition at a small c of a sweep, so that both are answers."""
    c = min(choice.cs)
    if request.c is not None or c > DEFINITION:
        return False
    return bool(parts.influence(c, request.lam)[0] > leader.parts.influence(c, request.lam)[0])
