"""Search over rows in Spark: search a sample and cells of all rows, then score the finalists on all rows."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from whence.explain.aggregates.aggregate import Removable
from whence.explain.answer import Answers
from whence.explain.arrays import Floats
from whence.explain.distributed.cells import coarsened, finer
from whence.explain.distributed.sharpen import sharpen
from whence.explain.distributed.spark_problem import SparkProblem
from whence.explain.find import METHODS, Teller, answers_from, finalists
from whence.explain.influence import Parts, Scorer
from whence.explain.problem import Box, Problem
from whence.explain.request import Request
from whence.explain.search.archive import Archive
from whence.explain.search.boxes import BoxSearch
from whence.explain.search.settings import Settings

_MOST = 5
"""Finalists at each c, from the sample and from the cells each."""

_HURRIED = 12
"""The most finalists that are scored after the time is up."""


@dataclass
class ScoredPredicates:
    """The predicates that were scored on all rows. Reading from it starts no Spark job."""

    problem: Problem
    before: Floats
    archive: Archive = field(default_factory=Archive)
    _after: dict[Box, tuple[Parts, Floats]] = field(default_factory=dict)

    def exact(self, box: Box) -> tuple[Parts, Floats]:
        """Return the parts of a scored predicate, and the value of every group without its rows."""
        return self._after[box]

    def score(self, spark: SparkProblem, boxes: Iterable[Box], natural: Iterable[Box] = ()) -> None:
        """Score those predicates on all rows that are new."""
        natural = set(natural)
        new = [box for box in dict.fromkeys(boxes) if box and box not in self._after]
        if not new:
            return
        parts, after = spark.scored(new)
        for place, box in enumerate(new):
            one = parts.take([place])
            self._after[box] = one, after[place]
            self.archive.add([box], one, is_natural=box in natural)


@dataclass(frozen=True)
class SparkAnswers:
    """The answers, and the scored predicates from which another c or lambda is answered."""

    answers: Answers
    scored: ScoredPredicates

    def choose_for(self, request: Request) -> SparkAnswers:
        """Return the answers for another c or lambda, without reading rows."""
        return SparkAnswers(answers_from(self.scored, self.scored.archive, request, time.monotonic()), self.scored)


def search_in_spark(spark: SparkProblem, request: Request) -> SparkAnswers:
    """Search for predicates that explain the question, and return the best of them as answers."""
    started = time.monotonic()
    scorer = Scorer(spark.sample)
    how = Settings(
        request.cs,
        request.lam,
        request.most_clauses,
        time_limit=request.time_limit,
        report=Teller(scorer, request),
    )
    # Partial answers come from the sample, because passes over all rows take too long for them.
    rough = METHODS[request.method](scorer, how)
    candidates, natural = finalists(rough, request, _MOST), set(rough.natural)
    is_over = how.is_over(rough)
    is_removable = isinstance(spark.sample.aggregate, Removable) and request.method in ("auto", "boxes")
    if is_removable and not is_over:
        more, clear = _from_cells(spark, request, how)
        candidates, natural = [*candidates, *more], natural | clear
    # From here on all numbers are exact. Sample and cells only proposed candidates.
    scored = ScoredPredicates(spark.problem, spark.scorer_of_all.before)
    # All candidates share one pass over the rows, but each adds work to it.
    scored.score(spark, candidates[:_HURRIED] if is_over else candidates, natural)
    # For an aggregate without a removable state, scoring has replaced the sample's values by those of all rows.
    scored.before = spark.scorer_of_all.before
    if is_removable and not is_over:
        sharper = sharpen(spark, scorer, scored.archive, how, request.cs)
        scored.score(spark, sharper.boxes, sharper.natural)
    answers = answers_from(scored, scored.archive, request, started, is_complete=not is_over)
    return SparkAnswers(answers, scored)


def _from_cells(spark: SparkProblem, request: Request, how: Settings) -> tuple[list[Box], set[Box]]:
    """Return the best boxes over coarse bins of all rows, and those with natural edges, over fine bins."""
    chosen = coarsened(spark.problem.attributes, spark.sample.owner, spark.sample.groups)
    if chosen is None:
        return [], set()
    archive = BoxSearch(Scorer(spark.cells(chosen)), how).run()
    found = [finer(box, chosen) for box in finalists(archive, request, _MOST)]
    return found, {finer(box, chosen) for box in archive.natural}
