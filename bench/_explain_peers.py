"""Peers of the explanation search: a regression tree, SliceLine and a DIFF-like lattice on the same question."""

from __future__ import annotations

import contextlib
import io
import warnings
from itertools import combinations

import numpy as np
from sklearn.tree import DecisionTreeRegressor
from sliceline.slicefinder import Slicefinder

from bench._synth import Synth
from whence.explain.influence import Scorer
from whence.explain.search.regression_tree import row_influence

BINS = 15
Masks = list[np.ndarray]


def _matrix(table: Synth) -> np.ndarray:
    return np.column_stack(list(table.attributes.values()))


def _binned(table: Synth) -> np.ndarray:
    bins: np.ndarray = np.minimum((_matrix(table) / (100 / BINS)).astype(int), BINS - 1) + 1
    return bins


def regression_tree(table: Synth) -> Masks:
    """Thirty-two leaves on the influence of single rows, as scikit-learn grows them."""
    matrix, rows = _matrix(table), table.is_outlier
    tree = DecisionTreeRegressor(max_leaf_nodes=32, min_samples_leaf=10, random_state=0)
    tree.fit(matrix[rows], row_influence(Scorer(table.problem))[rows])
    leaves = tree.apply(matrix)
    return [leaves == leaf for leaf in np.unique(leaves)]


def sliceline(table: Synth) -> Masks:
    """The ten best slices of equal-width bins, at the best of three trade-offs."""
    codes, rows = _binned(table), table.is_outlier
    influence = row_influence(Scorer(table.problem))[rows]
    errors = influence - influence.min()
    found: Masks = []
    for alpha in (0.9, 0.95, 0.99):
        finder = Slicefinder(alpha=alpha, k=10, max_l=codes.shape[1], min_sup=20, verbose=False)
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            finder.fit(codes[rows], errors)
        for piece in finder.top_slices_:
            met = [codes[:, place] == value for place, value in enumerate(piece) if value is not None]
            found.append(np.logical_and.reduce(met))
    return found


def diff(table: Synth) -> Masks:
    """Conjunctions of up to three bins whose rows are high in outliers far more often than in hold-outs."""
    codes, rows = _binned(table), table.is_outlier
    values = table.problem.columns[0]
    is_high = values > np.quantile(values[~rows], 0.95)
    scored = []
    for size in range(1, min(codes.shape[1], 3) + 1):
        for chosen in combinations(range(codes.shape[1]), size):
            keys = np.ravel_multi_index(tuple(codes[:, each] - 1 for each in chosen), (BINS,) * size)
            high = np.bincount(keys[rows & is_high], minlength=BINS**size)
            normal = np.bincount(keys[~rows & is_high], minlength=BINS**size)
            ratio = high / np.maximum(normal, 1)
            scored += [(float(ratio[key]), keys == key) for key in np.flatnonzero((ratio > 2) & (high >= 20))[:400]]
    scored.sort(key=lambda each: -each[0])
    return [mask for _, mask in scored[:50]]


PEERS = {"tree": regression_tree, "sliceline": sliceline, "diff": diff}
