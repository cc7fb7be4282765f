"""The default search: grow predicates clause by clause from good starts, and choose every clause exactly.

With all clauses but one fixed, the sums over the bins of the last attribute give the influence of every range or value
set on it. So each step takes the best clause there is, or drops it. Starts are the best clauses, the best pairs of
clauses, and the nodes of a regression tree on the influence of single rows. The boxes found at one c start the next.
"""

from __future__ import annotations

import numpy as np

from whence.explain.arrays import Floats
from whence.explain.influence import Parts, Scorer
from whence.explain.problem import Box, clause_on, with_clause
from whence.explain.search.archive import Archive
from whence.explain.search.best_clause import Judge, best_clause
from whence.explain.search.contrast import natural_boxes
from whence.explain.search.histograms import Histograms
from whence.explain.search.pairs import add_pairs
from whence.explain.search.regression_tree import tree_boxes
from whence.explain.search.settings import DEFINITION, Settings

_ROUNDS = 8
"""How often a climb may visit each attribute."""
_STARTS = 3
"""Boxes that are climbed from at each c."""
_PROMISING = 10
"""Attributes that are paired with each other."""

_KEPT = 400
"""Histograms that are cached before the cache is emptied."""
_WORTH = 0.01
"""The least share by which a clause must raise the influence to stay."""


class BoxSearch:
    """One search over one problem. Its archive holds all boxes that it scored."""

    def __init__(self, scorer: Scorer, how: Settings, archive: Archive | None = None) -> None:
        self.scorer = scorer
        self.archive = Archive() if archive is None else archive
        self._how = how
        self._kept: dict[tuple[Box, int], Floats] = {}
        self._histograms = [Histograms(scorer, attribute) for attribute in scorer.problem.attributes]

    def run(self) -> Archive:
        """Collect starts, then climb from the best ones at every c, from small c (many rows) to large c (few rows)."""
        self._single_clauses()
        # The number of pairs grows with the square of the attributes, and quick searches run by the dozen.
        if not self._how.is_quick or len(self._histograms) <= 3:
            add_pairs(self.scorer, self._histograms, self._promising(), self.archive, self._how)
        self._tree()
        for c in self._how.cs:
            if (
                c <= DEFINITION and not self._how.is_quick
            ):  # here the greatest influence by definition is wanted as well, luck included
                self._climb_all(self._best(c, by_definition=True), c, self._definition(c))
            self._climb_all(self._best(c), c, self._judge(c))
        if self.scorer.problem.attributes and not self._how.is_quick and not self._how.is_over(self.archive):
            # Last, because it looks from the winners that were found before.
            self._natural()
        return self.archive

    def _climb_all(self, starts: list[Box], c: float, judge: Judge) -> None:
        for start in starts:
            if self._how.is_over(self.archive):
                return
            box = self.climb(start, judge)
            if box:
                self._drop_idle(box, c)

    def polish(self, start: Box, c: float) -> None:
        """Improve one box at one c."""
        self._climb_all([start], c, self._judge(c))

    def climb(self, start: Box, judge: Judge) -> Box:
        """Return the box reached by improving one clause at a time until no change helps."""
        box, score = start, -np.inf
        number, idle = 0, 0
        for _ in range(_ROUNDS * len(self._histograms)):
            new, new_score = self._improved(box, score, number, judge)
            # Stop after a full round over the attributes without a change.
            idle = idle + 1 if new == box and score > -np.inf else 0
            box, score = new, new_score
            if idle >= len(self._histograms):
                break
            number = (number + 1) % len(self._histograms)
        return box

    def _improved(self, box: Box, score: float, number: int, judge: Judge) -> tuple[Box, float]:
        now = clause_on(box, number)
        # A clause that is there may still be changed or dropped. Only a new one would be too many.
        if now is None and len(box) >= self._how.most_clauses:
            return box, score
        others = with_clause(box, number, None)
        found = best_clause(self._histograms[number], self._sums(others, number), judge, now)
        new = with_clause(box, number, found.clause)
        if not new or found.score <= score:
            return box, score
        self.archive.add([new], found.parts)
        return new, found.score

    def _sums(self, box: Box, number: int) -> Floats:
        """Return the sums over the bins of an attribute under the other clauses. They do not depend on c: cached."""
        key = (box, number)
        if key not in self._kept:
            if len(self._kept) >= _KEPT:
                # Memory stays bounded: an entry has a number for each group, bin and weight.
                self._kept.clear()
            rows = np.flatnonzero(self.scorer.problem.mask(box)) if box else None
            self._kept[key] = self._histograms[number].sums(rows)
        return self._kept[key]

    def _drop_idle(self, box: Box, c: float) -> Box:
        """Return the box without the clauses that raise its score by less than _WORTH."""
        judge = self._judge(c)
        score = float(judge(self._parts(box))[0])
        for number, _ in box:
            less = with_clause(box, number, None)
            if less:
                parts = self._parts(less)
                self.archive.add([less], parts)
                if float(judge(parts)[0]) >= score - _WORTH * abs(score):
                    box, score = less, float(judge(parts)[0])
        return box

    def _single_clauses(self) -> None:
        for number, histograms in enumerate(self._histograms):
            for c in self._how.cs[::2]:
                found = best_clause(histograms, self._sums((), number), self._judge(c), None)
                if found.clause is not None:
                    self.archive.add([((number, found.clause),)], found.parts)

    def _promising(self) -> list[int]:
        """Return the attributes with the best clauses, best first."""
        best = dict.fromkeys(range(len(self._histograms)), -np.inf)
        if len(self.archive):
            # At a small c, where clauses that take many rows still count.
            scores = self.archive.parts.sober(0.1, self._how.lam)
            for box, score in zip(self.archive.boxes, scores, strict=True):
                for number, _ in box:
                    best[number] = max(best[number], float(score))
        return sorted(best, key=lambda number: -best[number])[:_PROMISING]

    def _tree(self) -> None:
        boxes = [box for box in tree_boxes(self.scorer, self._how.most_clauses) if box not in self.archive]
        for box in boxes:
            self.archive.add([box], self._parts(box))

    def _natural(self) -> None:
        """Add boxes with natural edges, looking from the winners at two values of c."""
        starts = list(dict.fromkeys(box for c in (0.1, 0.3) for box in self.archive.top(c, self._how.lam, 1)))
        for box in natural_boxes(self.scorer, self._how.most_clauses, starts):
            self.archive.add([box], self._parts(box), is_natural=True)

    def _best(self, c: float, *, by_definition: bool = False) -> list[Box]:
        """Return the best boxes over different sets of attributes: one start for each set is enough."""
        chosen: dict[tuple[int, ...], Box] = {}
        # Neighbours in score are often the same clauses with slightly other ends, so look far down for other shapes.
        for box in self.archive.top(c, self._how.lam, 200, by_definition=by_definition):
            if len(chosen) < (1 if self._how.is_quick else _STARTS):
                chosen.setdefault(tuple(number for number, _ in box), box)
        return list(chosen.values())

    def _judge(self, c: float) -> Judge:
        return sober_judge(c, self._how)

    def _definition(self, c: float) -> Judge:
        return lambda parts: parts.influence(c, self._how.lam)

    def _parts(self, box: Box) -> Parts:
        return self.scorer.of_sums(self.scorer.sums(self.scorer.problem.mask(box))[None])


def sober_judge(c: float, how: Settings) -> Judge:
    """Return a judge by cautious influence at one c that rules out predicates of less than `least_rows` rows."""

    def judge(parts: Parts) -> Floats:
        return np.where(parts.removed.sum(axis=1) >= how.least_rows, parts.sober(c, how.lam), -np.inf)

    return judge
