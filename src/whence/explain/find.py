"""The main path of an explanation: search predicates, test them against chance, choose and group the answers."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from whence.explain.answer import Answers, Exact
from whence.explain.chance import Verdict, verdicts
from whence.explain.choose_answers import chosen_boxes
from whence.explain.few_rows import few_rows
from whence.explain.group_answers import grouped
from whence.explain.influence import Scorer
from whence.explain.problem import Box, Problem
from whence.explain.reason import reason
from whence.explain.request import Request
from whence.explain.sample import SEARCHED, sampled
from whence.explain.search.archive import GRID, Archive
from whence.explain.search.boxes import BoxSearch
from whence.explain.search.dt import dt
from whence.explain.search.mc import mc
from whence.explain.search.naive import naive
from whence.explain.search.settings import Settings
from whence.model.errors import UserError

_TRIED = (0.0, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0)
"""The values of c at which answers are tested on rows that were not searched."""

_QUICK = (0.0, 0.2, 0.6)
"""The values of c of each search inside the test against chance, which repeats the search many times."""


def _boxes(scorer: Scorer, how: Settings) -> Archive:
    return BoxSearch(scorer, how).run()


METHODS: dict[str, Callable[[Scorer, Settings], Archive]] = {
    "auto": _boxes,
    "boxes": _boxes,
    "naive": naive,
    "dt": dt,
    "mc": mc,
}
"""The search methods by name. NAIVE, DT and MC are those of the thesis, for comparison. "auto" is `boxes`."""


def find(problem: Problem, request: Request) -> Answers:
    """Search for predicates that explain the problem, and return the best of them as answers."""
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
    """Choose the answers from predicates that are already scored.

    A request for another c or lambda comes here directly, without another search.
    """
    judged = _judgement(scorer.problem, request) if request.tests_chance and len(archive) else {}
    chosen = chosen_boxes(scorer.problem, archive, request, judged)
    items = grouped(scorer, archive, chosen, request)
    why = "" if items else reason(scorer.problem, archive, scorer.before, request.lam, has_judged=bool(judged))
    # Only where all rows are in memory: a sample may lack the very row.
    few = few_rows(scorer.problem, scorer.before) if isinstance(scorer, Scorer) else None
    return Answers(
        items=tuple(items),
        reason=why,
        before=scorer.before,
        archive=archive,
        seconds=time.monotonic() - started,
        is_complete=is_complete,
        few=few,
    )


def _search(scorer: Scorer, request: Request, teller: Teller) -> Archive:
    how = Settings(request.cs, request.lam, request.most_clauses, time_limit=request.time_limit, report=teller)
    method = METHODS[request.method]
    if scorer.problem.rows <= SEARCHED:
        return _exact(scorer, method(scorer, how), request)
    part = Scorer(sampled(scorer.problem, request.seed))
    return _refined(scorer, method(part, how), request, how)


def _refined(scorer: Scorer, rough: Archive, request: Request, how: Settings) -> Archive:
    """Score the best predicates of a sample on all rows, and improve their clauses there where that is cheap."""
    archive = Archive()
    for box in finalists(rough, request):
        archive.add([box], scorer.of_mask(scorer.problem.mask(box)), is_natural=rough.is_natural(box))
    if scorer.is_exact and request.method in ("auto", "boxes"):
        search = BoxSearch(scorer, replace(how, report=None), archive)
        # Neighbouring values of c mostly share their winner, so every third is enough.
        for c in request.cs[::3]:
            for box in archive.top(c, request.lam, 1):
                search.polish(box, c)
    return archive


def _exact(scorer: Scorer, archive: Archive, request: Request) -> Archive:
    """Return an archive of exact influences: score again what the search scored with surrogate weights."""
    if scorer.is_exact or request.method in ("naive", "dt", "mc"):
        return archive
    exact = Archive()
    for box in finalists(archive, request):
        # A clause that helped under the surrogate may do nothing under the real aggregate: score the box without each
        # of its clauses, too.
        for each in {box, *(tuple(clause for clause in box if clause != left) for left in box)} - {()}:
            exact.add([each], scorer.of_mask(scorer.problem.mask(each)), is_natural=archive.is_natural(each))
    return exact


def finalists(archive: Archive, request: Request, most: int = 12) -> list[Box]:
    """Return the boxes that may be an answer at some c."""
    cs = GRID[::5] if request.c is None else [request.c]
    tops = [box for c in cs for box in archive.top(float(c), request.lam, most)]
    winners = [box for c in cs for box in archive.top(float(c), request.lam, 2, by_definition=True)]
    return list(dict.fromkeys([*tops, *winners, *archive.natural]))


def _judgement(problem: Problem, request: Request) -> dict[float, Verdict]:
    cs = _TRIED if request.c is None else (request.c,)
    quick = Settings(_QUICK if request.c is None else (request.c,), request.lam, request.most_clauses, is_quick=True)
    # A sample of its own: the seed differs from that of the searched sample.
    part = problem if problem.rows <= SEARCHED else sampled(problem, request.seed + 1)
    return verdicts(part, lambda each: BoxSearch(Scorer(each), quick).run(), cs, request.lam, request.seed)


class Teller:
    """Report callback of a search: passes the answers so far to the caller, at most twice a second."""

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
        # The first answer goes out at once, later ones every half second.
        due = 0.0 if self._is_first else 0.5
        if self._request.partial is None or not len(archive) or now - self._told < due:
            return False
        self._told, self._is_first = now, False
        chosen = chosen_boxes(self._scorer.problem, archive, self._request, {})
        self.is_stopped = bool(self._request.partial(grouped(self._scorer, archive, chosen, self._request)))
        return self.is_stopped
