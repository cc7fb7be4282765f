"""Arithmetic over aggregates: a ratio of sums, a rounded average, any formula whose leaves are aggregates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from whence.explain.aggregates.aggregate import Aggregate, Removable
from whence.explain.arrays import Columns, Floats, Ints

Combine = Callable[[Sequence[Floats]], Floats]


@dataclass(frozen=True)
class Leaf:
    """One aggregate of a formula, and the places of its measures among all measures."""

    aggregate: Aggregate
    places: tuple[int, ...]

    def of(self, columns: Columns) -> Columns:
        """Return the measures of this leaf."""
        return tuple(columns[place] for place in self.places)


def arithmetic(leaves: Sequence[Leaf], combine: Combine) -> Aggregate:
    """Return the formula as one aggregate, with a removable state if every leaf has one."""
    if all(isinstance(leaf.aggregate, Removable) for leaf in leaves):
        return _RemovableFormula(leaves, combine)
    return _Formula(leaves, combine)


class _Formula(Aggregate):
    name = "formula"

    def __init__(self, leaves: Sequence[Leaf], combine: Combine) -> None:
        self._leaves = tuple(leaves)
        self._combine = combine

    def value(self, columns: Columns) -> float:
        return float(self._combine([np.array(leaf.aggregate.value(leaf.of(columns))) for leaf in self._leaves]))


class _RemovableFormula(Removable):
    name = "formula"

    def __init__(self, leaves: Sequence[Leaf], combine: Combine) -> None:
        self._leaves = tuple(leaves)
        self._combine = combine
        # Ask each leaf about zero rows to learn how many numbers its state has.
        nothing = np.empty(0)
        measures = [(nothing,) * len(leaf.places) for leaf in self._leaves]
        pairs = zip(self._pairs(), measures, strict=True)
        self._widths = [each.around(none, none).shape[1] for (each, _), none in pairs]

    def states(self, columns: Columns, owner: Ints) -> Floats:
        parts = [aggregate.states(leaf.of(columns), owner) for aggregate, leaf in self._pairs()]
        return np.concatenate(parts, axis=1)

    def around(self, columns: Columns, centres: Columns) -> Floats:
        parts = [each.around(leaf.of(columns), leaf.of(centres)) for each, leaf in self._pairs()]
        return np.concatenate(parts, axis=1)

    def recover(self, states: Floats) -> Floats:
        ends = np.cumsum(self._widths)
        spans = zip(self._pairs(), ends, self._widths, strict=True)
        return self._combine([each.recover(states[..., end - width : end]) for (each, _), end, width in spans])

    # By place, not by identity of objects: Spark tasks compute with pickled copies of the formula.
    def _pairs(self) -> list[tuple[Removable, Leaf]]:
        return [(leaf.aggregate, leaf) for leaf in self._leaves if isinstance(leaf.aggregate, Removable)]
