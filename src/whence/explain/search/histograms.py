"""Sums over the bins of an attribute, from which all clauses on it are scored at once."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from whence.explain.arrays import Floats, Ints
from whence.explain.attribute import Attribute, Clause, Span
from whence.explain.influence import Parts, Scorer

_COARSE = 16
"""Ranges of equal count whose ends are tried in pairs."""
_FEW = 2 * _COARSE
"""Up to so many bins, all pairs of cuts are tried."""
_SWEPT = 400
"""The most cuts tried for one end of a range, evenly spaced. Finer ones would only chase luck."""


class Histograms:
    """The bins of one attribute of a problem, ready to be summed."""

    def __init__(
        self, scorer: Scorer, attribute: Attribute, judge: Scorer | None = None, *, every_cut: bool = False
    ) -> None:
        """Prepare the sums of one attribute.

        `judge` scores sums that were made elsewhere, over more rows. `every_cut` tries all cuts, where scores cost
        little.
        """
        self.attribute = attribute
        self._scorer = scorer
        self._judge = judge or scorer
        self._step = 1 if every_cut else -(-attribute.size // _SWEPT)

    @cached_property
    def _keys(self) -> Ints:
        return self._scorer.problem.owner * self.attribute.width + self.attribute.codes

    @cached_property
    def cuts(self) -> Ints:
        """The cuts to try in pairs: all if they are few, else the ends of ranges of equal width and of equal count."""
        size = self.attribute.size
        if size <= _FEW:
            return np.arange(size + 1)
        counts = np.bincount(self.attribute.codes, self._scorer.problem.each, minlength=size)[:size]
        share = np.cumsum(counts) / max(counts.sum(), 1)
        quantiles = np.searchsorted(share, np.linspace(0, 1, _COARSE + 1)[1:-1]) + 1
        return np.unique(np.concatenate([[0, size], self.attribute.even, np.minimum(quantiles, size)]))

    @cached_property
    def swept(self) -> Ints:
        """The cuts to try for one end of a range while the other is fixed."""
        size, step = self.attribute.size, self._step
        return np.arange(size + 1) if step == 1 else np.union1d(np.arange(0, size + 1, step), self.cuts)

    def sums(self, rows: Ints | None) -> Floats:
        """Return the summed weights of these rows, or of all: group by bin by weight."""
        keys = self._keys if rows is None else self._keys[rows]
        weights = self._scorer.weights if rows is None else self._scorer.weights[rows]
        groups, width = self._scorer.problem.groups, self.attribute.width
        columns = [np.bincount(keys, weights[:, each], minlength=groups * width) for each in range(weights.shape[1])]
        return np.stack(columns, axis=-1).astype(np.float64, copy=False).reshape(groups, width, -1)

    def running(self, sums: Floats) -> Floats:
        """Return the sums over all bins below each cut: cut by group by weight."""
        groups, _, weights = sums.shape
        below = np.zeros((self.attribute.size + 1, groups, weights))
        np.cumsum(sums[:, : self.attribute.size].swapaxes(0, 1), axis=0, out=below[1:])
        return below

    def spans(self, below: Floats, lows: Ints, highs: Ints) -> Parts:
        """Score the spans lows[i]..highs[i]-1 from running sums. A span with low above high wraps around the end."""
        inside = below[highs] - below[lows]
        # A span that wraps is all bins less those between its ends.
        inside[lows > highs] += below[-1]
        return self._judge.of_sums(inside)

    def of_sums(self, sums: Floats) -> Parts:
        """Score sets of bins from their sums: set by group by weight."""
        return self._judge.of_sums(sums)


def span_places(cuts: int, *, is_cyclic: bool) -> tuple[Ints, Ints]:
    """Return every range between two cuts, as positions of its ends. Of a cyclic attribute also those that wrap.

    >>> [each.tolist() for each in span_places(4, is_cyclic=True)]
    [[0, 0, 0, 1, 1, 2, 2], [1, 2, 3, 2, 3, 3, 1]]
    """
    lows, highs = np.triu_indices(cuts, k=1)
    is_inner = (lows > 0) & (highs < cuts - 1) if is_cyclic else np.zeros(len(lows), dtype=np.bool_)
    return np.concatenate([lows, highs[is_inner]]), np.concatenate([highs, lows[is_inner]])


def span_clause(attribute: Attribute, low: int, high: int) -> Clause | None:
    """Return the clause of a range, or None if it takes every row."""
    if low == 0 and high == attribute.size and not attribute.has_nulls:
        return None
    return Span(int(low), int(high))
