"""The predicates scored so far, from which the best for every c follows without reading rows again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from whence.explain.arrays import Floats
from whence.explain.attribute import Choice
from whence.explain.influence import Parts, concatenate
from whence.explain.problem import Box

GRID: Floats = np.linspace(0.0, 1.0, 51)
"""The values of c for which a winner is chosen. The thesis finds fifty enough (4.9)."""

_TRIFLE = 0.03
"""Share of the best score that counts as no difference, where very many rows make the standard error tiny."""
_NEARER = 0.5
"""How near to the best a simpler box must come to be preferred, in standard errors."""


@dataclass
class Archive:
    """Boxes with the parts of their influence, in the order in which the search met them.

    A box has *natural edges* if it ends where the data change, not where the luck of the draw ends (see `contrast`).
    """

    boxes: list[Box] = field(default_factory=list)
    _parts: list[Parts] = field(default_factory=list)
    _known: set[Box] = field(default_factory=set)
    _natural: set[Box] = field(default_factory=set)
    _records: dict[float, float] = field(default_factory=dict)
    """The best score by definition so far at each c, for `offer`."""

    def add(self, boxes: Sequence[Box], parts: Parts, *, is_natural: bool = False) -> None:
        """Add the boxes that are new, and note with `is_natural` that they have natural edges."""
        if is_natural:
            self._natural.update(boxes)
        fresh = [number for number, box in enumerate(boxes) if box and box not in self._known]
        if fresh:
            self.boxes += [boxes[number] for number in fresh]
            self._known.update(boxes[number] for number in fresh)
            self._parts.append(parts.take(np.array(fresh)))

    def offer(self, box: Box, parts: Parts, c: float, lam: float) -> None:
        """Add a box only if it is the best by definition at this c so far."""
        score = float(parts.influence(c, lam)[0])
        if score > self._records.get(c, -np.inf):
            self._records[c] = score
            self.add([box], parts)

    def __len__(self) -> int:
        return len(self.boxes)

    def __contains__(self, box: Box) -> bool:
        return box in self._known

    def equals(self, box: Box, most: int = 3) -> list[Box]:
        """Return boxes on other attributes that take as many rows of every outlier and improve it as much."""
        place = self.boxes.index(box)
        parts = self.parts
        same = np.all(parts.removed == parts.removed[place], axis=1) & np.all(
            parts.improvement == parts.improvement[place], axis=1
        )
        shape = {number for number, _ in box}
        # An alternative with more clauses would only be harder to read.
        others = (self.boxes[each] for each in np.flatnonzero(same) if len(self.boxes[each]) <= len(box))
        return [each for each in others if {number for number, _ in each} != shape][:most]

    @property
    def natural(self) -> list[Box]:
        """The boxes with natural edges, in a fixed order."""
        return sorted(self._natural, key=str)

    def is_natural(self, box: Box) -> bool:
        """Return whether this box has natural edges."""
        return box in self._natural

    @property
    def parts(self) -> Parts:
        """The parts of all boxes, in the order of `boxes`."""
        # Batches are joined when they are first read, not at each `add`, which would copy all of them each time.
        if len(self._parts) > 1:
            self._parts = [concatenate(self._parts)]
        return self._parts[0]

    def best(self, c: float, lam: float) -> int:
        """Return the place of the best box at this c, or of the simplest box with about the same score.

        Within one standard error of the best, a box with natural edges and then a simpler box is preferred. The
        one-standard-error rule is that of Breiman et al. for pruning trees.
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
            # The shortest. Of equally short ones the leader, then the one with the best score.
            min([leader, *simpler], key=lambda place: (terms(self.boxes[place]), place != leader, -scores[place]))
        )

    def _tolerance(self, place: int, score: float, c: float, lam: float) -> float:
        """Return one standard error of the score, but at least 3 % of the score."""
        return max(float(self.parts.take([place]).luck(c, lam)[0]), _TRIFLE * abs(score))

    def near_natural(self, c: float, lam: float) -> list[int]:
        """Return the places of boxes with natural edges within one standard error of the best."""
        scores = self.parts.sober(c, lam)
        best = int(np.argmax(scores))
        level = scores[best] - self._tolerance(best, scores[best], c, lam)
        return [int(place) for place in np.flatnonzero(scores >= level) if self.boxes[place] in self._natural]

    def is_positive(self, place: int, c: float, lam: float) -> bool:
        """Return whether a box does more good than harm, both cautiously and by definition."""
        one = self.parts.take([place])
        return min(float(one.sober(c, lam)[0]), float(one.influence(c, lam)[0])) > 0

    def share(self, place: int, c: float, lam: float) -> float:
        """Return the cautious influence of a box as a share of the best."""
        scores = self.parts.sober(c, lam)
        return float(scores[place] / scores.max())

    def per_row(self, place: int) -> float:
        """Return the improvement of a box for each row it removes."""
        removed = float(self.parts.removed[place].sum())
        return float(self.parts.improvement[place].sum()) / removed if removed else 0.0

    def winner(self, c: float, lam: float) -> int:
        """Return the place of the best box at this c by definition."""
        return int(np.argmax(self.parts.influence(c, lam)))

    def top(self, c: float, lam: float, count: int, *, by_definition: bool = False) -> list[Box]:
        """Return the best boxes at this c."""
        if not self.boxes:
            return []
        scores = self.parts.influence(c, lam) if by_definition else self.parts.sober(c, lam)
        return [self.boxes[number] for number in np.argsort(-scores)[:count] if np.isfinite(scores[number])]


def terms(box: Box) -> int:
    """Return how much there is to read: one for each range, and one for each value of a set."""
    return sum(len(clause.codes) if isinstance(clause, Choice) else 1 for _, clause in box)
