"""From a problem to its answers: search, keep what holds on other rows, say where each is best, group the alike."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from whence.model.errors import UserError
from whence.outliers.arrays import Bools, Floats
from whence.outliers.chance import Verdict, verdicts
from whence.outliers.influence import Parts, Scorer
from whence.outliers.predicate import Predicate
from whence.outliers.problem import Box, Problem
from whence.outliers.reason import reason
from whence.outliers.sample import SEARCHED, sampled
from whence.outliers.search.archive import GRID, Archive, terms
from whence.outliers.search.boxes import DEFINITION, BoxSearch
from whence.outliers.search.dt import dt
from whence.outliers.search.mc import mc
from whence.outliers.search.naive import naive
from whence.outliers.search.settings import SWEEP, Settings

_TRIED = (0.0, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0)
"""The values of c at which answers are tried on rows that were not searched."""

_QUICK = (0.0, 0.2, 0.6)
_SHORT = 6
_APART = 0.1
_WORTHY = 0.3
"""Share of the winner's influence that a second cause must have."""

_DENSER = 1.25
"""How much more each row of a box inside another must do."""

_SAME = 0.9
"""Share of rows in common from which two answers are one."""


def _boxes(scorer: Scorer, how: Settings) -> Archive:
    return BoxSearch(scorer, how).run()


METHODS: dict[str, Callable[[Scorer, Settings], Archive]] = {
    "auto": _boxes,
    "boxes": _boxes,
    "naive": naive,
    "dt": dt,
    "mc": mc,
}


@dataclass(frozen=True)
class Answer:
    """One predicate, the c at which it is best, and what it does."""

    box: Box
    predicate: Predicate
    parts: Parts
    c_range: tuple[float, float]
    after: Floats
    p_value: float | None = None
    alternatives: tuple[Predicate, ...] = ()


@dataclass(frozen=True)
class Answers:
    """What was found, best first; or why nothing was."""

    items: tuple[Answer, ...]
    reason: str
    before: Floats
    archive: Archive = field(repr=False)
    seconds: float = 0.0
    is_complete: bool = True


class Exact(Protocol):
    """Knows what predicates do by definition; `problem` has rows to compare them on."""

    @property
    def problem(self) -> Problem: ...

    @property
    def before(self) -> Floats: ...

    def exact(self, box: Box) -> tuple[Parts, Floats]: ...


@dataclass(frozen=True)
class Request:
    """`c` None sweeps 0..1; `partial` hears of answers while the search runs, and stops it by returning True."""

    c: float | None = None
    lam: float = 0.5
    method: str = "auto"
    top: int = 10
    most_clauses: int = 4
    time_limit: float | None = None
    partial: Callable[[list[Answer]], bool | None] | None = None
    tests_chance: bool = True
    seed: int = 0

    @property
    def cs(self) -> tuple[float, ...]:
        """The values of c to grow predicates at."""
        return SWEEP if self.c is None else (self.c,)


def find(problem: Problem, request: Request) -> Answers:
    """Search and choose."""
    if request.method not in METHODS:
        raise UserError(f"There is no method {request.method!r}.", f"There are: {', '.join(METHODS)}.")
    started = time.monotonic()
    scorer = Scorer(problem)
    teller = Teller(scorer, request)
    archive = _search(scorer, request, teller)
    is_complete = request.time_limit is None or time.monotonic() - started < request.time_limit
    is_complete = is_complete and not teller.is_stopped
    return answers_from(scorer, archive, request, started, is_complete=is_complete)


def answers_from(
    scorer: Exact, archive: Archive, request: Request, started: float, *, is_complete: bool = True
) -> Answers:
    """The answers for another c or lambda come from what is known, too."""
    judged = _judgement(scorer.problem, request) if request.tests_chance and len(archive) else {}
    chosen = _chosen(scorer.problem, archive, request, judged)
    items = _grouped(scorer, archive, chosen, request)
    why = "" if items else reason(scorer.problem, archive, scorer.before, request.lam, has_judged=bool(judged))
    return Answers(tuple(items), why, scorer.before, archive, time.monotonic() - started, is_complete)


def _search(scorer: Scorer, request: Request, teller: Teller) -> Archive:
    how = Settings(request.cs, request.lam, request.most_clauses, time_limit=request.time_limit, report=teller)
    method = METHODS[request.method]
    if scorer.problem.rows <= SEARCHED:
        return _exact(scorer, method(scorer, how), request)
    part = Scorer(sampled(scorer.problem, request.seed))
    return _refined(scorer, method(part, how), request, how)


def _refined(scorer: Scorer, rough: Archive, request: Request, how: Settings) -> Archive:
    """The best of a sample, scored on all rows; their clauses improved there where the aggregate makes that cheap."""
    archive = Archive()
    for box in finalists(rough, request):
        archive.add([box], scorer.of_mask(scorer.problem.mask(box)), is_natural=rough.is_natural(box))
    if scorer.is_exact and request.method in ("auto", "boxes"):
        search = BoxSearch(scorer, replace(how, report=None), archive)
        for c in request.cs[::3]:
            for box in archive.top(c, request.lam, 1):
                search.polish(box, c)
    return archive


def _exact(scorer: Scorer, archive: Archive, request: Request) -> Archive:
    """An archive of true influences: what was guided by something like the aggregate is scored again."""
    if scorer.is_exact or request.method in ("naive", "dt", "mc"):
        return archive
    exact = Archive()
    for box in finalists(archive, request):
        for each in {box, *(tuple(clause for clause in box if clause != left) for left in box)} - {()}:
            exact.add([each], scorer.of_mask(scorer.problem.mask(each)), is_natural=archive.is_natural(each))
    return exact


def finalists(archive: Archive, request: Request, most: int = 12) -> list[Box]:
    """The boxes that may be an answer at some c."""
    cs = GRID[::5] if request.c is None else [request.c]
    tops = [box for c in cs for box in archive.top(float(c), request.lam, most)]
    winners = [box for c in cs for box in archive.top(float(c), request.lam, 2, by_definition=True)]
    return list(dict.fromkeys([*tops, *winners, *archive.natural]))


def _judgement(problem: Problem, request: Request) -> dict[float, Verdict]:
    cs = _TRIED if request.c is None else (request.c,)
    quick = Settings(_QUICK if request.c is None else (request.c,), request.lam, request.most_clauses, is_quick=True)
    part = problem if problem.rows <= SEARCHED else sampled(problem, request.seed + 1)
    return verdicts(part, lambda each: BoxSearch(Scorer(each), quick).run(), cs, request.lam, request.seed)


@dataclass(frozen=True)
class _Choice:
    place: int
    cs: tuple[float, ...]
    p_value: float | None
    is_natural: bool = False


def _chosen(
    problem: Problem, archive: Archive, request: Request, judged: dict[float, Verdict]
) -> list[tuple[Box, Parts, _Choice]]:
    if not len(archive):
        return []
    places = _sweep(problem, archive, request, judged) if request.c is None else _ranked(archive, request, judged)
    return [(archive.boxes[each.place], archive.parts.take([each.place]), each) for each in places]


def _sweep(problem: Problem, archive: Archive, request: Request, judged: dict[float, Verdict]) -> list[_Choice]:
    """The cautious winners, broad to pinpoint; then what explains other rows; then the winners by definition."""
    cautious = _frontier(archive, request, judged)
    if not cautious:
        return []
    cautious = sorted([*cautious, *_as_good(archive, request, judged, cautious)], key=lambda each: each.cs[0])
    beside = _beside(problem, archive, request, cautious)
    beside += _inside(problem, archive, request, [*cautious, *beside])
    winners: dict[int, list[float]] = {}
    for c in GRID[GRID <= DEFINITION]:
        winners.setdefault(archive.winner(float(c), request.lam), []).append(float(c))
    known = {each.place for each in (*cautious, *beside)}
    extra = [_Choice(place, tuple(cs), cautious[0].p_value) for place, cs in winners.items() if place not in known]
    return [*_widest(cautious, max(3, request.top - len(extra) - len(beside))), *beside, *extra]


def _frontier(archive: Archive, request: Request, judged: dict[float, Verdict]) -> list[_Choice]:
    """The cautious winner of every c at which one holds."""
    found: dict[int, list[float]] = {}
    value: dict[int, float | None] = {}
    for c in GRID:
        verdict = _nearest(judged, float(c))
        place = archive.best(float(c), request.lam)
        if verdict.holds and archive.is_positive(place, float(c), request.lam):
            found.setdefault(place, []).append(float(c))
            value.setdefault(place, verdict.p_value)
    return [
        _Choice(place, tuple(cs), value[place], archive.is_natural(archive.boxes[place])) for place, cs in found.items()
    ]


def _as_good(archive: Archive, request: Request, judged: dict[float, Verdict], chosen: list[_Choice]) -> list[_Choice]:
    """Boxes with natural edges that are as good as the winner within its error, though something simpler was taken."""
    known = {each.place for each in chosen}
    found: dict[int, list[float]] = {}
    for c in GRID:
        if _nearest(judged, float(c)).holds:
            for place in archive.near_natural(float(c), request.lam):
                is_short = terms(archive.boxes[place]) <= _SHORT
                if place not in known and is_short and archive.is_positive(place, float(c), request.lam):
                    found.setdefault(place, []).append(float(c))
    return [_Choice(place, tuple(cs), _nearest(judged, cs[0]).p_value, True) for place, cs in found.items()]


def _beside(problem: Problem, archive: Archive, request: Request, chosen: list[_Choice]) -> list[_Choice]:
    """Clear boxes over other rows (a second cause), each at the c at which it comes nearest to the winner."""
    taken = np.logical_or.reduce([problem.mask(archive.boxes[each.place]) for each in chosen])
    cs = [c for each in chosen for c in each.cs]
    found: list[_Choice] = []
    for box in archive.natural:
        mask, place = problem.mask(box), archive.boxes.index(box)
        if (mask & taken).sum() > _APART * mask.sum():
            continue
        c = _nearest_to_winner(archive, request, place, cs)
        if c is not None:
            found.append(_Choice(place, (c,), chosen[0].p_value))
            taken |= mask
    return found


def _inside(problem: Problem, archive: Archive, request: Request, chosen: list[_Choice]) -> list[_Choice]:
    """Clear boxes inside an answer whose rows each do far more.

    The change of a hold-out is not divided by rows, so that with very many rows such a box is the best for no c.
    """
    masks = [problem.mask(archive.boxes[each.place]) for each in chosen]
    cs = [c for each in chosen for c in each.cs]
    found: list[_Choice] = []
    for box in archive.natural:
        mask, place = problem.mask(box), archive.boxes.index(box)
        if terms(box) > _SHORT or any(_likeness(mask, other) >= _SAME for other in masks):
            continue
        around = [
            each
            for each, other in zip(chosen, masks, strict=False)
            if (mask & ~other).sum() <= _APART * mask.sum()
            and archive.per_row(place) >= _DENSER * archive.per_row(each.place)
        ]
        c = _nearest_to_winner(archive, request, place, cs) if around else None
        if c is not None:
            found.append(_Choice(place, (c,), chosen[0].p_value))
            masks.append(mask)
    return found


def _nearest_to_winner(archive: Archive, request: Request, place: int, cs: list[float]) -> float | None:
    """The c at which a box comes nearest to the winner, if it comes near enough to be worth a word."""
    shares = {c: archive.share(place, c, request.lam) for c in cs if archive.is_positive(place, c, request.lam)}
    c = max(shares, key=lambda each: shares[each], default=None)
    return c if c is not None and shares[c] >= _WORTHY else None


def _widest(choices: list[_Choice], count: int) -> list[_Choice]:
    """Those with natural edges, then those that are best for the most values of c; in order."""
    kept = sorted(choices, key=lambda each: (not each.is_natural, -len(each.cs)))[:count]
    return [each for each in choices if each in kept]


def _ranked(archive: Archive, request: Request, judged: dict[float, Verdict]) -> list[_Choice]:
    """At one c: the winner by definition first where c is small, then by the cautious estimate."""
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
    return [_Choice(int(place), (c, c), verdict.p_value) for place in kept[: 20 * request.top]]


def _nearest(judged: dict[float, Verdict], c: float) -> Verdict:
    return judged[min(judged, key=lambda each: abs(each - c))] if judged else Verdict(True)


def _grouped(
    scorer: Exact, archive: Archive, chosen: list[tuple[Box, Parts, _Choice]], request: Request
) -> list[Answer]:
    """One answer for those that take nearly the same rows; the others stand by as alternatives."""
    leaders: list[tuple[Bools, Answer]] = []
    for box, parts, choice in chosen:
        mask = scorer.problem.mask(box)
        twin = next((place for place, (rows, _) in enumerate(leaders) if _likeness(rows, mask) >= _SAME), None)
        if twin is not None and not _is_better_by_definition(leaders[twin][1], parts, choice, request):
            rows, leader = leaders[twin]
            others = (*leader.alternatives, scorer.problem.predicate(box))
            c_range = (min(leader.c_range[0], *choice.cs), max(leader.c_range[1], *choice.cs))
            leaders[twin] = rows, replace(leader, alternatives=tuple(dict.fromkeys(others)), c_range=c_range)
        elif len(leaders) < request.top:
            predicates = tuple(scorer.problem.predicate(each) for each in archive.equals(box))
            c_range = (min(choice.cs), max(choice.cs))
            predicate, (exact, after) = scorer.problem.predicate(box), scorer.exact(box)
            leaders.append((mask, Answer(box, predicate, exact, c_range, after, choice.p_value, predicates)))
    return [answer for _, answer in leaders]


def _is_better_by_definition(leader: Answer, parts: Parts, choice: _Choice, request: Request) -> bool:
    """In a sweep the winner by definition of a small c keeps its place beside its likes."""
    c = min(choice.cs)
    if request.c is not None or c > DEFINITION:
        return False
    return bool(parts.influence(c, request.lam)[0] > leader.parts.influence(c, request.lam)[0])


def _likeness(one: Bools, other: Bools) -> float:
    either = int((one | other).sum())
    return int((one & other).sum()) / either if either else 1.0


class Teller:
    """Tells the caller what is known, at most a few times a second."""

    def __init__(self, scorer: Scorer, request: Request) -> None:
        self._scorer = scorer
        self._request = request
        self._told = time.monotonic()
        self._is_first = True
        self.is_stopped = False

    def __call__(self, archive: Archive) -> bool:
        if self.is_stopped:
            return True
        now = time.monotonic()
        due = 0.0 if self._is_first else 0.5
        if self._request.partial is None or not len(archive) or now - self._told < due:
            return False
        self._told, self._is_first = now, False
        chosen = _chosen(self._scorer.problem, archive, self._request, {})
        self.is_stopped = bool(self._request.partial(_grouped(self._scorer, archive, chosen, self._request)))
        return self.is_stopped
