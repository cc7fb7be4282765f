"""Samples of rows to search: large enough to meet what is worth finding."""

from __future__ import annotations

import math

import numpy as np

from whence.outliers.problem import Problem

SEARCHED = 60_000
"""Rows searched at most; with more a sample is searched, and what it finds is scored on all rows."""

_SHARE = 0.001
_CERTAINTY = 0.95


def enough(share: float = _SHARE, certainty: float = _CERTAINTY) -> int:
    """How many rows meet a share of outlying rows at least once with this certainty (4.8.1).

    >>> enough()
    2995
    """
    return math.ceil(math.log(1 - certainty) / math.log(1 - share))


def sampled(problem: Problem, seed: int = 0, rows: int = SEARCHED) -> Problem:
    """At most about so many rows, from every group its share, from none fewer than its share of what is enough."""
    random = np.random.default_rng(seed)
    rate = min(1.0, rows / problem.rows)
    least = enough() / max(problem.outliers, 1)
    wanted = np.minimum(problem.counts, np.maximum(np.ceil(problem.counts * rate), math.ceil(least))).astype(np.int64)
    order = np.lexsort((random.random(problem.rows), problem.owner))
    place = np.arange(problem.rows) - problem.offsets[problem.owner[order]]
    return problem.take(np.sort(order[place < wanted[problem.owner[order]]]))
