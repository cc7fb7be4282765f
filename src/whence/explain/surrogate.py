"""What each row adds to an aggregate out of which rows cannot be taken: a fair share, to guide the search.

A median or a maximum hangs on all rows together. The rows of a group are put into bins by their value, the bins leave
in random orders, and a row's share is what its bin changed on average (the Shapley value of the bin). Sums of
shares point to promising predicates; those are then scored by definition.
"""

from __future__ import annotations

import numpy as np

from whence.explain.arrays import Floats, Ints
from whence.explain.problem import Problem

_BINS = 24
_ORDERS = 6


def surrogate_weights(problem: Problem) -> Floats:
    """How far each row raises the value of its group."""
    random = np.random.default_rng(0)
    shares = np.zeros(problem.rows)
    for group in range(problem.groups):
        rows = np.arange(problem.offsets[group], problem.offsets[group + 1])
        known = rows[~np.isnan(problem.columns[0][rows])]
        bins = np.array_split(known[np.argsort(problem.columns[0][known], kind="stable")], _BINS)
        _share_out(problem, rows, [each for each in bins if len(each)], shares, random)
    return shares


def _share_out(problem: Problem, rows: Ints, bins: list[Ints], shares: Floats, random: np.random.Generator) -> None:
    first = rows[0] if len(rows) else 0
    for _ in range(_ORDERS):
        keep = np.ones(len(rows), dtype=np.bool_)
        value = problem.aggregate.value(tuple(column[rows] for column in problem.columns))
        for number in random.permutation(len(bins)):
            keep[bins[number] - first] = False
            left = rows[keep]
            after = problem.aggregate.value(tuple(column[left] for column in problem.columns)) if len(left) else np.nan
            if not np.isfinite(after):
                break
            shares[bins[number]] += (value - after) / (len(bins[number]) * _ORDERS)
            value = after
