"""Surrogate weights: what each row adds to an aggregate that has no removable state, to guide the search.

A median or a maximum depends on all rows together. So this module sorts the rows of a group into bins by value and
removes the bins in random orders. The weight of a row is what its bin changed on average: the Shapley value of the bin,
shared among its rows. Sums of weights point to promising predicates, which are then scored by definition.
"""

from __future__ import annotations

import numpy as np

from whence.explain.arrays import Floats, Ints
from whence.explain.problem import Problem

_BINS = 24
_ORDERS = 6
"""How many random orders are averaged."""


def surrogate_weights(problem: Problem) -> Floats:
    """Return, for each row, about how far it raises the value of its group."""
    random = np.random.default_rng(0)
    shares = np.zeros(problem.rows)
    for group in range(problem.groups):
        rows = np.arange(problem.offsets[group], problem.offsets[group + 1])
        known = rows[~np.isnan(problem.columns[0][rows])]
        # Rows leave in bins, because every removal costs a call of the aggregate.
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
            # An aggregate over nothing has no value, so the last bins of an order get no share.
            if not np.isfinite(after):
                break
            shares[bins[number]] += (value - after) / (len(bins[number]) * _ORDERS)
            value = after
