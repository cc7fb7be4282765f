"""Samples of rows to search, large enough to contain what is worth finding."""

from __future__ import annotations

import math

import numpy as np

from whence.explain.arrays import Ints
from whence.explain.problem import Problem

SEARCHED = 60_000
"""The most rows that are searched. Of more, a sample is searched, and what it finds is scored on all rows."""

_SHARE = 0.001
"""The smallest share of outlying rows that a sample should contain."""
_CERTAINTY = 0.95


def enough(share: float = _SHARE, certainty: float = _CERTAINTY) -> int:
    """Return the size of a sample that meets a share of outlying rows at least once with this certainty (4.8.1).

    >>> enough()
    2995
    """
    return math.ceil(math.log(1 - certainty) / math.log(1 - share))


def sample_places(counts: Ints, outliers: int, seed: int = 0, rows: int = SEARCHED) -> Ints:
    """Return the positions of a sample of rows that are ordered by group.

    Every group gives its share of about `rows` rows, but at least `enough()` divided by the number of outliers.
    """
    random = np.random.default_rng(seed)
    rate = min(1.0, rows / max(int(counts.sum()), 1))
    least = math.ceil(enough() / max(outliers, 1))
    wanted = np.minimum(counts, np.maximum(np.ceil(counts * rate), least)).astype(np.int64)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    # From each group on its own, so that no marked value loses all its rows.
    drawn = [
        offset + np.sort(random.choice(int(count), int(many), replace=False, shuffle=False))
        for offset, count, many in zip(offsets, counts, wanted, strict=False)
    ]
    return np.concatenate(drawn).astype(np.int64)


def sampled(problem: Problem, seed: int = 0, rows: int = SEARCHED) -> Problem:
    """Return the same question about a sample of its rows."""
    return problem.take(sample_places(problem.counts, problem.outliers, seed, rows))
