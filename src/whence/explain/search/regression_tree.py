"""A regression tree on the influence of single rows. Its nodes are boxes worth trying."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from whence.explain.arrays import Floats, Ints
from whence.explain.attribute import Attribute, Choice, Clause, Span
from whence.explain.influence import Scorer
from whence.explain.problem import Box, Problem, clause_on, with_clause

_LEAVES = 24
_LEAST = 12
"""The fewest rows of a node."""


@dataclass(frozen=True)
class _Split:
    """The best cut of a node on one attribute, and by how much it reduces the squared error."""

    gain: float
    number: int
    left: Clause
    right: Clause


def tree_boxes(scorer: Scorer, most_clauses: int) -> list[Box]:
    """Return the boxes of all nodes but the root. The node with the greatest gain is split next."""
    problem = scorer.problem
    rows = np.flatnonzero(problem.owner < problem.outliers)
    target = row_influence(scorer)
    nodes: list[tuple[Box, Ints, _Split | None]] = [((), rows, _best_split(problem, target, rows, (), most_clauses))]
    boxes: list[Box] = []
    # Best first: the leaf whose split gains most is split next.
    while len(nodes) < _LEAVES:
        place = max(range(len(nodes)), key=lambda each: _gain(nodes[each][2]))
        box, inside, split = nodes[place]
        if split is None or split.gain <= 0:
            break
        del nodes[place]
        for clause in (split.left, split.right):
            child = with_clause(box, split.number, clause)
            attribute = problem.attributes[split.number]
            kept = inside[attribute.allowed(clause)[attribute.codes[inside]]]
            nodes.append((child, kept, _best_split(problem, target, kept, child, most_clauses)))
            boxes.append(child)
    return boxes


def row_influence(scorer: Scorer) -> Floats:
    """Return the improvement if each row of an outlier alone were removed, and 0 for rows of hold-outs."""
    problem = scorer.problem
    influence = np.zeros(problem.rows)
    after = scorer.before[problem.owner] - scorer.removal_falls()
    for number, complaint in enumerate(problem.complaints):
        rows = slice(problem.offsets[number], problem.offsets[number + 1])
        influence[rows] = complaint.improvement(float(scorer.before[number]), after[rows])
    return influence


def _gain(split: _Split | None) -> float:
    return -1.0 if split is None else split.gain


def _best_split(problem: Problem, target: Floats, rows: Ints, box: Box, most_clauses: int) -> _Split | None:
    if len(rows) < 2 * _LEAST:
        return None
    best: _Split | None = None
    for number, attribute in enumerate(problem.attributes):
        if clause_on(box, number) is None and len(box) >= most_clauses:
            continue
        split = _split_on(
            number, attribute, attribute.codes[rows], target=target[rows], each=problem.each[rows], box=box
        )
        if split is not None and split.gain > _gain(best):
            best = split
    return best


def _split_on(number: int, attribute: Attribute, codes: Ints, target: Floats, each: Floats, box: Box) -> _Split | None:
    counts = np.bincount(codes, each, minlength=attribute.width)
    sums = np.bincount(codes, target * each, minlength=attribute.width)
    used = np.flatnonzero(counts[: attribute.size])
    if not attribute.is_ordered:  # by mean, any best cut of the values is a cut of this order (Breiman et al.)
        used = used[np.argsort(sums[used] / counts[used])]
    left_count, left_sum = np.cumsum(counts[used])[:-1], np.cumsum(sums[used])[:-1]
    right_count, right_sum = counts[used].sum() - left_count, sums[used].sum() - left_sum
    is_large = (left_count >= _LEAST) & (right_count >= _LEAST)
    if not is_large.any():
        return None
    whole = sums[used].sum() ** 2 / counts[used].sum()
    gains = np.where(is_large, left_sum**2 / left_count + right_sum**2 / right_count - whole, -np.inf)
    place = int(np.argmax(gains))
    if not attribute.is_ordered:
        halves = (used[: place + 1], used[place + 1 :])
        left, right = (Choice(tuple(sorted(int(code) for code in half))) for half in halves)
        return _Split(float(gains[place]), number, left, right)
    now = clause_on(box, number)
    low, high = (now.low, now.high) if isinstance(now, Span) else (0, attribute.size)
    cut = int(used[place]) + 1
    return _Split(float(gains[place]), number, Span(low, cut), Span(cut, high))
