"""The NAIVE search (Scorpion, 4.6.2): try every conjunction, few clauses first, until the time is up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice

import numpy as np

from whence.explain.arrays import Bools, Floats, Ints
from whence.explain.attribute import Attribute, Choice, Clause, Span
from whence.explain.influence import Scorer
from whence.explain.problem import Box
from whence.explain.search.archive import Archive
from whence.explain.search.settings import Settings

_MOST_SETS = 4096
"""The most value sets tried for one attribute, small ones first."""


@dataclass(frozen=True)
class Grid:
    """An attribute in the bins of NAIVE, and every clause over them."""

    number: int
    cells: Ints
    count: int
    taken: Bools
    """Which cells each clause takes: clause by cell."""
    clauses: list[Clause]


def naive(scorer: Scorer, how: Settings) -> Archive:
    """Score every predicate from sums over cells, and keep the best by definition for each c.

    If the aggregate has no removable state, sums only guide the choice, and the best of each block is scored by
    definition.
    """
    archive = Archive()
    grids = [make_grid(number, attribute) for number, attribute in enumerate(scorer.problem.attributes)]
    for size in range(1, min(len(grids), how.most_clauses) + 1):
        for chosen in combinations(grids, size):
            for clauses, sums in _blocks(scorer, chosen):
                if how.is_over(archive):
                    return archive
                _keep_best(scorer, archive, how, grids=chosen, fixed=clauses, sums=sums)
    return archive


def make_grid(number: int, attribute: Attribute) -> Grid:
    """Return an attribute with all runs of equal-width ranges, or all value sets by rising size."""
    if attribute.is_ordered:
        cuts = np.concatenate([[0], attribute.even, [attribute.size]]).astype(np.int64)
        cell_of = np.append(np.repeat(np.arange(len(cuts) - 1), np.diff(cuts)), len(cuts) - 1)
        pairs = [(low, high) for low, high in combinations(range(len(cuts)), 2)]
        clauses: list[Clause] = [Span(int(cuts[low]), int(cuts[high])) for low, high in pairs]
        cells = np.arange(len(cuts))
        taken = np.array([(cells >= low) & (cells < high) for low, high in pairs])
        return Grid(number, cell_of[attribute.codes], len(cuts), taken, clauses)
    sizes = range(1, attribute.size + 1)
    # n values have 2^n - 1 sets.
    sets = list(islice((each for size in sizes for each in combinations(range(attribute.size), size)), _MOST_SETS))
    taken = np.zeros((len(sets), attribute.width), dtype=np.bool_)
    for place, codes in enumerate(sets):
        taken[place, list(codes)] = True
    return Grid(number, attribute.codes, attribute.width, taken, [Choice(codes) for codes in sets])


def _blocks(scorer: Scorer, grids: tuple[Grid, ...]) -> Iterator[tuple[tuple[int, ...], Floats]]:
    """Yield (clauses fixed on all attributes but the last, sums of every clause on the last)."""
    tensor = _tensor(scorer, grids)
    yield from _fixed(tensor, grids, ())


def _fixed(tensor: Floats, grids: tuple[Grid, ...], fixed: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], Floats]]:
    first, *rest = grids
    taken = first.taken.astype(np.float64)
    if not rest:
        yield fixed, np.einsum("ka,gaw->kgw", taken, tensor)
    elif len(rest) == 1:
        half = np.einsum("ka,gabw->kgbw", taken, tensor)
        for place in range(len(taken)):  # one line of pairs at a time, so that memory stays small
            yield (*fixed, place), np.einsum("lb,gbw->lgw", rest[0].taken.astype(np.float64), half[place])
    else:
        for place, row in enumerate(first.taken):
            yield from _fixed(tensor[:, row].sum(axis=1), tuple(rest), (*fixed, place))


def _tensor(scorer: Scorer, grids: tuple[Grid, ...]) -> Floats:
    problem = scorer.problem
    keys, shape = problem.owner, [problem.groups]
    for grid in grids:
        keys = keys * grid.count + grid.cells
        shape.append(grid.count)
    size = int(np.prod(shape))
    weights = scorer.weights
    columns = [np.bincount(keys, weights[:, each], minlength=size).reshape(shape) for each in range(weights.shape[1])]
    return np.stack(columns, axis=-1)


def _keep_best(
    scorer: Scorer, archive: Archive, how: Settings, grids: tuple[Grid, ...], fixed: tuple[int, ...], sums: Floats
) -> None:
    parts = scorer.of_sums(sums)
    for c in how.cs:
        scores = parts.influence(c, how.lam)
        place = int(np.argmax(scores))
        if np.isfinite(scores[place]):
            box = _box(grids, (*fixed, place))
            exact = scorer.of_mask(scorer.problem.mask(box)) if not scorer.is_exact else parts.take([place])
            archive.offer(box, exact, c, how.lam)


def _box(grids: tuple[Grid, ...], places: tuple[int, ...]) -> Box:
    return tuple((grid.number, grid.clauses[place]) for grid, place in zip(grids, places, strict=True))
