"""Starts for the search: all pairs of coarse clauses on all pairs of attributes, scored by matrix products.

Two attributes together can tell what neither tells alone, as on a checkerboard. A search that adds one clause at a time
would never start there.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from whence.explain.arrays import Bools, Floats, Ints
from whence.explain.attribute import Attribute, Choice, Clause, Span
from whence.explain.influence import Parts, Scorer
from whence.explain.problem import Box
from whence.explain.search.archive import Archive
from whence.explain.search.histograms import Histograms, span_places
from whence.explain.search.settings import DEFINITION, Settings

_CELLS = 12
"""Coarse ranges of an ordered attribute. Unordered ones have twice as many values."""
_PAIRS = 45
"""The most pairs of attributes that are tried. The most promising attributes come first."""


@dataclass(frozen=True)
class _Coarse:
    """An attribute in few cells, and the clauses over them. `taken` is clause by cell."""

    number: int
    cells: Ints
    count: int
    taken: Floats
    clauses: list[Clause]


def add_pairs(scorer: Scorer, histograms: list[Histograms], order: list[int], archive: Archive, how: Settings) -> None:
    """Add the best pair of clauses on every two attributes to the archive, for every c."""
    coarse = {number: _coarse(number, histograms[number].attribute, scorer.problem.each) for number in order}
    for first, second in list(combinations(order, 2))[:_PAIRS]:
        if how.is_over(archive):
            return
        one, other = coarse[first], coarse[second]
        parts = _scores(scorer, one, other)
        best = {int(np.argmax(_judged(parts, c, how))) for c in how.cs}
        best |= {int(np.argmax(parts.influence(c, how.lam))) for c in how.cs if c <= DEFINITION}
        chosen = sorted(best)
        archive.add([_box(one, other, place) for place in chosen], parts.take(np.array(chosen)))


def _judged(parts: Parts, c: float, how: Settings) -> Floats:
    return np.where(parts.removed.sum(axis=1) >= how.least_rows, parts.sober(c, how.lam), -np.inf)


def _scores(scorer: Scorer, one: _Coarse, other: _Coarse) -> Parts:
    groups = scorer.problem.groups
    keys = (scorer.problem.owner * one.count + one.cells) * other.count + other.cells
    shape = (groups, one.count, other.count)
    sums = []
    for number in range(scorer.weights.shape[1]):
        cells = np.bincount(keys, scorer.weights[:, number], minlength=groups * one.count * other.count).reshape(shape)
        # Clause by cell, cell by cell, cell by clause: all pairs of clauses in two products.
        sums.append(one.taken @ cells @ other.taken.T)
    stacked = np.stack(sums, axis=-1).reshape(groups, -1, len(sums))
    return scorer.of_sums(stacked.swapaxes(0, 1))


def _box(one: _Coarse, other: _Coarse, place: int) -> Box:
    first, second = divmod(place, len(other.clauses))
    return tuple(sorted([(one.number, one.clauses[first]), (other.number, other.clauses[second])], key=lambda e: e[0]))


def _coarse(number: int, attribute: Attribute, each: Floats) -> _Coarse:
    if attribute.is_ordered:
        counts = np.bincount(attribute.codes, each, minlength=attribute.width)[: attribute.size]
        share = np.cumsum(counts) / max(counts.sum(), 1)
        inner = np.unique(np.searchsorted(share, np.linspace(0, 1, _CELLS + 1)[1:-1]) + 1)
        cuts = np.concatenate([[0], inner[inner < attribute.size], [attribute.size]])
        cell_of = np.append(np.repeat(np.arange(len(cuts) - 1), np.diff(cuts)), len(cuts) - 1)
        lows, highs = span_places(len(cuts), is_cyclic=attribute.is_cyclic)
        taken = _between(lows, highs, len(cuts))
        clauses: list[Clause] = [Span(int(cuts[low]), int(cuts[high])) for low, high in zip(lows, highs, strict=True)]
        return _Coarse(number, cell_of[attribute.codes], len(cuts), taken.astype(np.float64), clauses)
    named = min(attribute.size, 2 * _CELLS)
    # Rarer values share the last cell, which no clause names.
    cells = np.minimum(attribute.codes, named)
    clauses = [Choice((code,)) for code in range(named)]
    return _Coarse(number, cells, named + 1, np.eye(named, named + 1), clauses)


def _between(lows: Ints, highs: Ints, count: int) -> Bools:
    """Return which cells each span takes. The last cell is that of NULL, which no span takes."""
    cells = np.arange(count)
    is_above, is_below, wraps = cells >= lows[:, None], cells < highs[:, None], (lows > highs)[:, None]
    return np.where(wraps, (is_above | is_below) & (cells < count - 1), is_above & is_below)
