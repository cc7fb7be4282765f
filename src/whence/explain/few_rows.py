"""Find the fewest single rows whose removal brings an odd value back to the others.

An odd value is *back* if it is at most half as far from the median of the hold-outs as it was, and also at most a
quarter as far or no farther than some hold-out. An expected value takes the place of the median. Rows are *few* if
there are at most five of them, and at most one in fifty.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb

import numpy as np

from whence.explain.aggregates.aggregate import Removable
from whence.explain.arrays import Columns, Floats, Ints
from whence.explain.complaint import Complaint
from whence.explain.problem import Problem

MOST = 5
SHARE = 50
"""At most one row in so many counts as few."""

_TRIED = 200_000
"""The most sets of one size that are tried if the aggregate has a removable state, from the most influential rows."""

_TRIED_SLOWLY = 5_000
"""The same where each set needs the aggregate computed anew."""
_CHUNK = 50_000
"""Sets that are evaluated at once."""


@dataclass(frozen=True)
class FewRows:
    """The rows, by their positions in the problem, and the value of every group without them."""

    places: Ints
    after: Floats


@dataclass(frozen=True)
class Target:
    """Where a value ought to be, and how far from there it still counts as back."""

    middle: float
    reach: float

    def is_back(self, values: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        """Return which of the values are back."""
        with np.errstate(invalid="ignore"):
            return np.abs(values - self.middle) <= self.reach


def target_of(complaint: Complaint, before: float, fine: Floats) -> Target | None:
    """Return the target of an odd value, or None if there is neither an expected value nor a hold-out.

    >>> target_of(Complaint("high"), 100.0, np.array([9.0, 10.0, 12.0]))
    Target(middle=10.0, reach=22.5)
    """
    if complaint.kind == "expected":
        return Target(complaint.expected, abs(before - complaint.expected) / 4)
    fine = fine[np.isfinite(fine)]
    if not len(fine):
        return None
    middle = float(np.median(fine))
    far, usual = abs(before - middle), float(np.abs(fine - middle).max())
    return Target(middle, min(far / 2, max(far / 4, usual)))


def few_rows(problem: Problem, before: Floats, most: int = MOST, share: int = SHARE) -> FewRows | None:
    """Return the fewest rows behind each odd value that bring it back, or None if one value needs more than a few.

    At most `most` rows of a group are few, and no more than one in `share`.
    """
    # A sample or cells do not have every single row.
    if problem.sizes is not None or problem.cells is not None:
        return None
    places: list[Ints] = []
    after = before.copy()
    for group, complaint in enumerate(problem.complaints):
        rows = slice(problem.offsets[group], problem.offsets[group + 1])
        size = rows.stop - rows.start
        target = target_of(complaint, float(before[group]), before[problem.outliers :])
        if target is None or size < share or target.is_back(before[group : group + 1])[0]:
            return None
        # Each group by itself: its value does not depend on rows of other groups.
        removal = _Removal(problem, tuple(column[rows] for column in problem.columns))
        found = removal.fewest(target, min(most, size // share))
        if found is None:
            return None
        places.append(found + rows.start)
        after[group] = removal.values(found[None])[0]
    chosen = np.concatenate(places)
    return FewRows(chosen, after)


class _Removal:
    """One group, and its value without any of its rows."""

    def __init__(self, problem: Problem, columns: Columns) -> None:
        self._aggregate = problem.aggregate
        self._columns = columns
        self._size = len(columns[0]) if columns else 0
        self._states: Floats | None = None
        if isinstance(self._aggregate, Removable):
            self._states = self._aggregate.states(columns, np.zeros(self._size, dtype=np.int64))

    def fewest(self, target: Target, most: int) -> Ints | None:
        """Return the smallest set of rows that brings the value back. Of several, the one that brings it nearest."""
        alone = self.values(np.arange(self._size)[:, None])
        start = self.values(np.zeros((1, 0), dtype=np.int64))[0]
        # The rows that move the value furthest towards the target come first.
        move = (start - alone) * (1.0 if start > target.middle else -1.0)
        order = np.argsort(-np.where(np.isfinite(move), move, -np.inf), kind="stable")
        for count in range(1, most + 1):
            found = self._best(order[: self._tried(count)], count, target)
            if found is not None:
                return found
        return None

    def _tried(self, count: int) -> int:
        """Return how many of the most influential rows sets of `count` rows are made from."""
        limit = _TRIED if self._states is not None else _TRIED_SLOWLY
        return next((each for each in range(self._size, count, -1) if comb(each, count) <= limit), count)

    def _best(self, rows: Ints, count: int, target: Target) -> Ints | None:
        best, nearest = None, np.inf
        for chosen in _chunks(rows, count):
            values = self.values(chosen)
            distance = np.where(target.is_back(values), np.abs(values - target.middle), np.inf)
            place = int(np.argmin(distance))
            if distance[place] < nearest:
                best, nearest = np.sort(chosen[place]), float(distance[place])
        return best

    def values(self, chosen: Ints) -> Floats:
        """Return the value without each set of rows. Each line of `chosen` is one set."""
        with np.errstate(all="ignore"):
            if self._states is not None and isinstance(self._aggregate, Removable):
                return self._aggregate.recover(self._states.sum(axis=0) - self._states[chosen].sum(axis=1))
            return np.array([self._value_without(each) for each in chosen])

    def _value_without(self, rows: Ints) -> float:
        kept = np.ones(self._size, dtype=np.bool_)
        kept[rows] = False
        return self._aggregate.value(tuple(column[kept] for column in self._columns))


def _chunks(rows: Ints, count: int) -> Iterator[Ints]:
    """Yield all sets of `count` rows, up to _CHUNK sets at a time."""
    if count == 1:
        yield rows[:, None]
        return
    sets = combinations(rows.tolist(), count)
    while chunk := list(islice(sets, _CHUNK)):
        yield np.array(chunk, dtype=np.int64)
