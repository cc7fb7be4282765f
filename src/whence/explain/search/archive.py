"""The predicates met so far: the best of them for every c, without another look at the rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from whence.explain.arrays import Floats
from whence.explain.attribute import Choice
from whence.explain.influence import Parts, concatenate
from whence.explain.problem import Box

GRID: Floats = np.linspace(0.0, 1.0, 51)
"""The values of c for which a winner is kept; fifty are enough (4.9)."""

_TRIFLE = 0.03
_NEARER = 0.5
"""Of the standard error: how near a simpler box must come to be taken instead."""


@dataclass
class Archive:
    """Boxes with the parts of their influence."""

    boxes: list[Box] = field(default_factory=list)
    _parts: list[Parts] = field(default_factory=list)
    _known: set[Box] = field(default_factory=set)
    _natural: set[Box] = field(default_factory=set)
    _records: dict[float, float] = field(default_factory=dict)

    def add(self, boxes: Sequence[Box], parts: Parts, *, is_natural: bool = False) -> None:
        """Remember boxes that are new; `is_natural`: their edges are where the data say, not where luck does."""
        if is_natural:
            self._natural.update(boxes)
        fresh = [number for number, box in enumerate(boxes) if box and box not in self._known]
        if fresh:
            self.boxes += [boxes[number] for number in fresh]
            self._known.update(boxes[number] for number in fresh)
            self._parts.append(parts.take(np.array(fresh)))

    def offer(self, box: Box, parts: Parts, c: float, lam: float) -> None:
        """Remember a box only if it is the best by definition at this c."""
        score = float(parts.influence(c, lam)[0])
        if score > self._records.get(c, -np.inf):
            self._records[c] = score
            self.add([box], parts)

    def __len__(self) -> int:
        return len(self.boxes)

    def __contains__(self, box: Box) -> bool:
        return box in self._known

    def equals(self, box: Box, most: int = 3) -> list[Box]:
        """Boxes on other attributes that take as many rows of every outlier and change as much."""
        place = self.boxes.index(box)
        parts = self.parts
        same = np.all(parts.removed == parts.removed[place], axis=1) & np.all(
            parts.improvement == parts.improvement[place], axis=1
        )
        shape = {number for number, _ in box}
        others = (self.boxes[each] for each in np.flatnonzero(same) if len(self.boxes[each]) <= len(box))
        return [each for each in others if {number for number, _ in each} != shape][:most]

    @property
    def natural(self) -> list[Box]:
        """The boxes with natural edges."""
        return sorted(self._natural, key=str)

    def is_natural(self, box: Box) -> bool:
        """Whether this box has natural edges."""
        return box in self._natural

    @property
    def parts(self) -> Parts:
        """Of all boxes, in order."""
        if len(self._parts) > 1:
            self._parts = [concatenate(self._parts)]
        return self._parts[0]

    def best(self, c: float, lam: float) -> int:
        """The place of the best box at this c; within one standard error of it, of the simplest with natural edges.

        The one-standard-error rule is that of Breiman et al. for pruning trees.
        """
        scores = self.parts.sober(c, lam)
        best = int(np.argmax(scores))
        if not np.isfinite(scores[best]):
            return best
        luck = self._tolerance(best, scores[best], c, lam)
        near = [int(place) for place in np.flatnonzero(scores >= scores[best] - luck)]
        natural = self.near_natural(c, lam) or [best]
        leader = max(natural, key=lambda place: scores[place])
        # Two boxes that share most of their rows share most of their luck: what is simpler must come nearer.
        level = min(scores[leader], scores[best] - _NEARER * luck)
        simpler = [place for place in near if scores[place] >= level and scores[place] > 0]
        return int(
            min([leader, *simpler], key=lambda place: (terms(self.boxes[place]), place != leader, -scores[place]))
        )

    def _tolerance(self, place: int, score: float, c: float, lam: float) -> float:
        """One standard error; of very many rows, a share too small for anybody to care."""
        return max(float(self.parts.take([place]).luck(c, lam)[0]), _TRIFLE * abs(score))

    def near_natural(self, c: float, lam: float) -> list[int]:
        """The places of boxes with natural edges within one standard error of the best."""
        scores = self.parts.sober(c, lam)
        best = int(np.argmax(scores))
        level = scores[best] - self._tolerance(best, scores[best], c, lam)
        return [int(place) for place in np.flatnonzero(scores >= level) if self.boxes[place] in self._natural]

    def is_positive(self, place: int, c: float, lam: float) -> bool:
        """Whether a box does more good than harm, cautiously and by definition."""
        one = self.parts.take([place])
        return min(float(one.sober(c, lam)[0]), float(one.influence(c, lam)[0])) > 0

    def share(self, place: int, c: float, lam: float) -> float:
        """The cautious influence of a box as a share of the best."""
        scores = self.parts.sober(c, lam)
        return float(scores[place] / scores.max())

    def per_row(self, place: int) -> float:
        """The improvement that a box brings for each row it takes."""
        removed = float(self.parts.removed[place].sum())
        return float(self.parts.improvement[place].sum()) / removed if removed else 0.0

    def winner(self, c: float, lam: float) -> int:
        """The place of the best box at this c by definition."""
        return int(np.argmax(self.parts.influence(c, lam)))

    def frontier(self, lam: float, grid: Iterable[float] = GRID) -> list[int]:
        """The best box for every c of the grid."""
        return [self.best(float(c), lam) for c in grid] if self.boxes else []

    def top(self, c: float, lam: float, count: int, *, by_definition: bool = False) -> list[Box]:
        """The best boxes at this c."""
        if not self.boxes:
            return []
        scores = self.parts.influence(c, lam) if by_definition else self.parts.sober(c, lam)
        return [self.boxes[number] for number in np.argsort(-scores)[:count] if np.isfinite(scores[number])]


def terms(box: Box) -> int:
    """How much there is to read: clauses, and values beyond the first of a set."""
    return sum(len(clause.codes) if isinstance(clause, Choice) else 1 for _, clause in box)
