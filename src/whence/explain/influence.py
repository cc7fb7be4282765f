"""Score predicates by influence (Scorpion, 4.4): what removing their rows does to outliers and to hold-outs.

For an outlier, D is the improvement of its value and n the number of its rows that the predicate removes. For a
hold-out, only the size of its change counts, not the sign. Then

    influence = lambda * mean over outliers of D / n^c  -  (1 - lambda) * greatest change of a hold-out

A group without removed rows counts 0. The influence is minus infinity if the predicate removes every marked row, or
empties a group whose aggregate then has no value.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from whence.explain.aggregates.aggregate import Removable
from whence.explain.arrays import Bools, Floats
from whence.explain.complaint import improvements
from whence.explain.problem import Box, Problem
from whence.explain.surrogate import surrogate_weights
from whence.model.lazy_module import LazyModule

# Loaded at first use: importing SciPy slows down opening a workspace. scipy.special, as scipy.stats alone takes a
# second.
if TYPE_CHECKING:
    from scipy import special
else:
    special = LazyModule("scipy.special")


@dataclass(frozen=True)
class Parts:
    """The terms of influence for many predicates at once, before c and lambda are applied."""

    improvement: Floats
    """How far each outlier improves: predicate by outlier."""
    removed: Floats
    """How many rows of each outlier are removed: predicate by outlier."""
    change: Floats
    """The greatest change of a hold-out, by predicate."""
    spread: Floats
    """One standard error of the improvement: predicate by outlier."""
    expected_change: Floats
    """The greatest change of a hold-out to expect on other rows of the same kind, by predicate."""
    change_spread: Floats
    """One standard error of a hold-out's change, by predicate."""

    def influence(self, c: float, lam: float) -> Floats:
        """Return the influence of each predicate, as the thesis defines it."""
        return self._combined(self._gain(self._cost(c)), self.change, lam)

    def sober(self, c: float, lam: float) -> Floats:
        """Return a cautious estimate of the influence that each predicate has on other rows of the same kind.

        The best of thousands of predicates is best partly because its own rows happen to look good. So the improvement
        counts less by one standard error, and a hold-out that happens to stay put counts as changed by what its rows
        lead one to expect.
        """
        cost = self._cost(c)
        gain = self._gain(cost) - self._gain_error(cost)
        return self._combined(gain, np.maximum(self.change, self.expected_change), lam)

    def luck(self, c: float, lam: float) -> Floats:
        """Return the standard error of the influence of each predicate."""
        return np.hypot(lam * self._gain_error(self._cost(c)), (1 - lam) * self.change_spread)

    def _gain(self, cost: Floats) -> Floats:
        mean: Floats = (self.improvement * cost).sum(axis=1) / self.improvement.shape[1]
        return mean

    def _gain_error(self, cost: Floats) -> Floats:
        error: Floats = np.sqrt(((self.spread * cost) ** 2).sum(axis=1)) / self.improvement.shape[1]
        return error

    def _cost(self, c: float) -> Floats:
        # A group without removed rows improves by 0, so its cost does not matter. The 1 avoids 0 ** -c.
        cost: Floats = np.maximum(self.removed, 1.0) ** -c
        return cost

    def _combined(self, gain: Floats, change: Floats, lam: float) -> Floats:
        # `_parts` marks an emptied group or a predicate over all rows with infinity. It must stay minus infinity at any
        # lambda.
        is_lost = np.isinf(change) | ~np.isfinite(gain)
        with np.errstate(invalid="ignore"):
            return np.where(is_lost, -np.inf, lam * gain - (1 - lam) * change)

    def take(self, chosen: object) -> Parts:
        """Return the parts of some of the predicates."""
        return Parts(*(getattr(self, each.name)[chosen] for each in fields(self)))


def concatenate(parts: list[Parts]) -> Parts:
    """Return one Parts for all predicates of several."""
    return Parts(*(np.concatenate([getattr(each, field.name) for each in parts]) for field in fields(Parts)))


class Scorer:
    """Scores predicates over one problem, from sums over rows where the aggregate has a removable state."""

    def __init__(self, problem: Problem, *, is_light: bool = False) -> None:
        """Prepare the weights of all rows.

        `is_light` is for a few scores by definition: it leaves out the standard errors, which cost a pass over the
        rows.
        """
        self.problem = problem
        self._removable = problem.aggregate if isinstance(problem.aggregate, Removable) else None
        self._luck = _expected_maximum(problem.holdouts)
        if problem.cells is not None:
            cells = problem.cells
            self.weights = np.column_stack([cells.counts, cells.squares, cells.states])
            self.totals = self.sums(np.ones(problem.rows, dtype=np.bool_))
            self.before: Floats = self._after(self.totals[None])[0]
            return
        scale = problem.scale[problem.owner][:, None]
        states = np.zeros((problem.rows, 1)) if is_light and self._removable is None else self._states()
        self.weights = np.column_stack([np.ones(problem.rows), np.zeros(problem.rows), states]) * scale
        """The weights of each row: 1, the square of its fall (see `alone`), and the aggregate's state."""
        self.totals = self.sums(np.ones(problem.rows, dtype=np.bool_))
        is_estimated = self._removable is not None and problem.sizes is not None
        self.before = self._after(self.totals[None])[0] if is_estimated else self._before()
        if not is_light:
            # `alone` needs totals and `before`, so the squares come last.
            self.weights[:, 1] = self.removal_falls() ** 2 * scale[:, 0]
            self.totals[:, 1] = np.bincount(problem.owner, self.weights[:, 1], minlength=problem.groups)

    @property
    def is_exact(self) -> bool:
        """Whether scores from sums over rows are exact, not only an approximation by surrogate weights."""
        return self._removable is not None

    def of_sums(self, sums: Floats) -> Parts:
        """Score predicates from the summed weights of the rows they remove: predicate by group by weight."""
        after = self._after(self.totals - sums)
        return self._parts(after, sums[..., 0], sums[..., 1])

    def of_mask(self, mask: Bools) -> Parts:
        """Score one predicate by definition: recompute the aggregate over the rows that stay."""
        sums = self.sums(mask)
        return self._parts(self._without(mask, sums)[None], sums[None, :, 0], sums[None, :, 1])

    def quick(self, mask: Bools) -> Parts:
        """Score one predicate from sums if the aggregate allows it: faster, and right to about twelve digits."""
        return self.of_sums(self.sums(mask)[None]) if self.is_exact else self.of_mask(mask)

    def values_without(self, mask: Bools) -> Floats:
        """Return the value of every group without these rows."""
        return self._without(mask, self.sums(mask))

    def exact(self, box: Box) -> tuple[Parts, Floats]:
        """Return the parts of one predicate and the value of every group without its rows, by definition."""
        mask = self.problem.mask(box)
        return self.of_mask(mask), self.values_without(mask)

    def of_kept(self, kept: Floats, removed: Floats, squares: Floats) -> tuple[Parts, Floats]:
        """Return parts and values of many predicates from the state of the rows that stay, all predicate by group."""
        assert self._removable is not None, "there are states"
        with np.errstate(all="ignore"):
            after: Floats = np.where(removed > 0, self._removable.recover(kept), self.before)
        return self.of_values(after, removed, squares), after

    def of_values(self, after: Floats, removed: Floats, squares: Floats) -> Parts:
        """Score predicates from the values of the groups without the removed rows."""
        return self._parts(after, removed, squares)

    def _without(self, mask: Bools, sums: Floats) -> Floats:
        """Recompute each touched group from its remaining rows, or from sums where this is a sample or has cells.

        A difference of sums may consist of rounding errors alone, so it is not used where all rows are at hand.
        """
        if self.problem.cells is not None:
            left: Floats = np.where(sums[:, 0] > 0, self._after(self.sums(~mask)[None])[0], self.before)
            return left
        if self._removable is not None and self.problem.sizes is not None:
            estimated: Floats = self._after((self.totals - sums)[None])[0]
            return estimated
        problem = self.problem
        after = self.before.copy()
        for group in np.flatnonzero(sums[:, 0]):
            rows = slice(problem.offsets[group], problem.offsets[group + 1])
            kept = ~mask[rows]
            with np.errstate(all="ignore"):
                after[group] = problem.aggregate.value(tuple(column[rows][kept] for column in problem.columns))
        return after

    def removal_falls(self) -> Floats:
        """Return, for each row, how far the value of its group falls if that row alone is removed."""
        problem = self.problem
        if problem.cells is not None:
            mean: Floats = problem.cells.falls / problem.cells.counts
            return mean
        if self._removable is None:
            return self.weights[:, 2] / problem.scale[problem.owner]
        with np.errstate(all="ignore"):
            one = self.weights[:, 2:] / problem.scale[problem.owner][:, None]
            after = self._removable.recover(self.totals[problem.owner, 2:] - one)
        fall = self.before[problem.owner] - after
        return np.where(np.isfinite(fall), fall, 0.0)

    def _parts(self, after: Floats, removed: Floats, squares: Floats) -> Parts:
        problem = self.problem
        sizes = self.totals[:, 0]
        # In a sample `removed` is an estimate, and sums of floats are inexact. Half a row is the tolerance.
        is_touched: Bools = removed > 0.5
        is_emptied: Bools = removed > sizes - 0.5
        is_lost = is_touched & ~np.isfinite(after)
        if not problem.aggregate.keeps_value_when_empty:
            is_lost |= is_touched & is_emptied
        outliers = problem.outliers
        gain = improvements(problem.complaints, self.before[:outliers], after[:, :outliers])
        improvement = np.where(is_touched[:, :outliers], gain, 0.0)
        moved = np.where(is_touched[:, outliers:], np.abs(after[:, outliers:] - self.before[outliers:]), 0.0)
        change = np.where(is_lost[:, outliers:], np.inf, moved).max(axis=1, initial=0.0)
        takes_all = np.asarray(is_emptied.all(axis=1))[:, None]
        improvement = np.where(is_lost[:, :outliers] | takes_all, -np.inf, improvement)
        errors = self._errors(removed, squares)
        spread = errors[:, :outliers]
        typical = np.sqrt((errors[:, outliers:] ** 2).sum(axis=1) / max(problem.holdouts, 1))
        expected = self._expected(after, typical, is_touched)
        return Parts(
            improvement=improvement,
            removed=removed[:, :outliers],
            change=change,
            spread=spread,
            expected_change=expected,
            change_spread=typical,
        )

    def _errors(self, removed: Floats, squares: Floats) -> Floats:
        """Return the standard error of each group's fall, taking the rows as a random sample."""
        if self.problem.aggregate.keeps_value_when_empty:
            return np.sqrt(np.maximum(squares, 0.0))
        # The fewer rows stay, the less is known of a mean over them. 0.99 keeps the divisor above zero.
        left: Floats = 1 - np.minimum(removed / np.maximum(self.totals[:, 0], 1.0), 0.99)
        return np.sqrt(np.maximum(squares, 0.0) / left)

    def _expected(self, after: Floats, typical: Floats, is_touched: Bools) -> Floats:
        """Return the change to expect of the most changed hold-out: the mean change plus the greatest error."""
        outliers = self.problem.outliers
        if not self.problem.holdouts:
            return np.zeros(len(after))
        falls = np.where(is_touched[:, outliers:], self.before[outliers:] - after[:, outliers:], 0.0)
        middle: Floats = np.abs(np.where(np.isfinite(falls), falls, 0.0).sum(axis=1) / self.problem.holdouts)
        return middle + self._luck * typical

    def _after(self, states: Floats) -> Floats:
        if self._removable is not None:
            with np.errstate(all="ignore"):
                return self._removable.recover(states[..., 2:])
        return self.before - (self.totals[:, 2] - states[..., 2])

    def _states(self) -> Floats:
        problem = self.problem
        if self._removable is not None:
            return self._removable.states(problem.columns, problem.owner)
        return surrogate_weights(problem)[:, None] / problem.scale[problem.owner][:, None]

    def _before(self) -> Floats:
        problem = self.problem
        spans = [slice(problem.offsets[group], problem.offsets[group + 1]) for group in range(problem.groups)]
        with np.errstate(all="ignore"):
            return np.array([problem.aggregate.value(tuple(each[rows] for each in problem.columns)) for rows in spans])

    def sums(self, mask: Bools) -> Floats:
        """Return the summed weights of these rows: group by weight."""
        rows = np.flatnonzero(mask)
        starts = np.searchsorted(rows, self.problem.offsets)  # rows stand group by group
        chosen = np.zeros((len(rows) + 1, self.weights.shape[1]))  # one more, where a last group without rows begins
        np.take(self.weights, rows, axis=0, out=chosen[:-1])
        found: Floats = np.add.reduceat(chosen, starts[:-1], axis=0)
        found[starts[:-1] == starts[1:]] = 0.0
        return found


def _expected_maximum(count: int) -> float:
    """Return about the expected maximum of so many standard normal numbers (Blom's formula)."""
    return float(special.ndtri((count - 0.375) / (count + 0.25))) if count > 1 else 0.0
