"""Summarise all rows as far fewer cells: rows that agree in the coarse bin of every attribute share a cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from whence.explain.arrays import Floats, Ints
from whence.explain.attribute import Attribute, Choice, Clause, Span
from whence.explain.distributed.reading import Reading, Rows
from whence.explain.distributed.weigh import Weigher
from whence.explain.problem import Box, Cells, Problem

BUDGET = 400_000
"""The most cells. They are searched in some ten seconds."""

_FEWEST_BINS = 6
"""The fewest bins of an attribute. A sample in fine bins tells more than coarser ones."""

_LARGEST_KEY = 1 << 62
"""The key of a cell must fit a signed 64-bit integer."""


@dataclass(frozen=True)
class Coarse:
    """An attribute in coarse bins, each made of consecutive fine ones. `starts` has the first fine bin of each."""

    attribute: Attribute
    starts: Ints

    @property
    def size(self) -> int:
        """The number of bins that clauses may name."""
        return len(self.starts)

    def codes(self, fine: Ints) -> Ints:
        """Return the coarse bin of each fine one. NULL and unnamed values are in the last one."""
        coarse = np.searchsorted(self.starts, fine, side="right") - 1
        named = self.attribute.size if self.attribute.is_ordered else self.size
        return np.where(fine >= named, self.size, coarse)

    def halved(self) -> Coarse:
        """Return half as many bins. Of an unordered attribute, the commoner half of the values stays."""
        if not self.attribute.is_ordered:
            return replace(self, starts=self.starts[: (self.size + 1) // 2])
        return replace(self, starts=self.starts[::2])

    def with_codes(self, codes: Ints) -> Attribute:
        """Return the attribute in coarse bins, for rows with these coarse codes."""
        attribute = self.attribute
        if not attribute.is_ordered:
            return replace(attribute, codes=codes, size=self.size, labels=attribute.labels[: self.size])
        lasts = np.append(self.starts[1:], attribute.size) - 1
        even = np.unique(np.searchsorted(self.starts, attribute.even, side="left"))
        return replace(
            attribute,
            codes=codes,
            size=self.size,
            lows=attribute.lows[self.starts],
            highs=attribute.highs[lasts],
            even=even[(even > 0) & (even < self.size)],
        )

    def finer(self, clause: Clause) -> Clause:
        """Return the clause over fine bins that takes the same rows."""
        if isinstance(clause, Span):
            ends = np.append(self.starts, self.attribute.size)
            return Span(int(ends[clause.low]), int(ends[clause.high]))
        if self.attribute.is_ordered:
            return Choice((self.attribute.size,))
        return clause


def coarsened(attributes: Sequence[Attribute], owner: Ints, groups: int, budget: int = BUDGET) -> list[Coarse] | None:
    """Return bins coarse enough for about `budget` cells by a sample's estimate, or None if those are too coarse."""
    chosen = [Coarse(each, np.arange(each.size, dtype=np.int64)) for each in attributes]
    while not _fits(chosen, owner, groups, budget):
        # Halving the attribute with the most bins loses the least detail.
        widest = max(range(len(chosen)), key=lambda number: chosen[number].size)
        if chosen[widest].size < 2 * _FEWEST_BINS:
            return None
        chosen[widest] = chosen[widest].halved()
    return chosen


def _fits(chosen: Sequence[Coarse], owner: Ints, groups: int, budget: int) -> bool:
    most = float(groups) * float(np.prod([float(each.size + 1) for each in chosen]))
    if most <= budget:
        return True
    # Real rows fill few of the possible cells, so their number is estimated from the sample.
    return most < _LARGEST_KEY and _estimated(_keys(chosen, owner, [each.attribute.codes for each in chosen])) <= budget


def _estimated(keys: Ints) -> float:
    """Return the estimated number of different keys, seen or not (Chao's estimate from those seen once and twice)."""
    counts = np.unique(keys, return_counts=True)[1]
    once, twice = int((counts == 1).sum()), int((counts == 2).sum())
    return len(counts) + once * (once - 1) / (2 * (twice + 1))


def _keys(chosen: Sequence[Coarse], owner: Ints, codes: Sequence[Ints]) -> Ints:
    keys = owner
    for coarse, fine in zip(chosen, codes, strict=True):
        keys = keys * (coarse.size + 1) + coarse.codes(fine)
    return keys


@dataclass(frozen=True)
class CellSums:
    """The computation that puts rows into cells and sums over each cell."""

    weigher: Weigher
    chosen: tuple[Coarse, ...]

    def of(self, rows: Rows) -> tuple[Ints, list[Floats]]:
        """Return the cell keys of these rows, and the sums over each cell: count, squares, falls, states."""
        states = self.weigher.states(rows)
        falls = self.weigher.falls(states, rows.owner)
        keys, place = np.unique(_keys(self.chosen, rows.owner, rows.codes), return_inverse=True)
        lines = [np.ones(len(falls)), falls**2, falls, *states.T]
        return keys, [np.bincount(place, line, minlength=len(keys)).astype(np.float64) for line in lines]


def cell_task(reading: Reading, sums: CellSums) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Return the task that yields a line for each cell of some of its rows."""
    # Spark ships this function to every task: leave out the bins of the sample's rows, which tasks do not read.
    slim = replace(sums, chosen=tuple(replace(each, attribute=_slim(each.attribute)) for each in sums.chosen))

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for rows in reading.rows(batches):
            keys, lines = slim.of(rows)
            names = ["key", *(f"w{number}" for number in range(len(lines)))]
            yield pa.RecordBatch.from_arrays([pa.array(keys), *map(pa.array, lines)], names)

    return run


def _slim(attribute: Attribute) -> Attribute:
    return replace(attribute, codes=attribute.codes[:0])


def cell_problem(problem: Problem, chosen: Sequence[Coarse], sums: pa.Table) -> Problem:
    """Return the question about all rows, asked of their cells. `sums` is ordered by key, hence by group."""
    keys = sums.column("key").to_numpy()
    attributes: list[Attribute] = []
    for coarse in reversed(chosen):
        # The reverse of `_keys`: the last attribute is the lowest digit, and the group remains.
        keys, codes = np.divmod(keys, coarse.size + 1)
        attributes.append(coarse.with_codes(codes))
    lines = [sums.column(number).to_numpy() for number in range(1, sums.num_columns)]
    cells = Cells(lines[0], lines[1], lines[2], np.column_stack(lines[3:]))
    return replace(problem, owner=keys, columns=(), attributes=tuple(reversed(attributes)), sizes=None, cells=cells)


def finer(box: Box, chosen: Sequence[Coarse]) -> Box:
    """Return the box over fine bins that takes the same rows."""
    return tuple((number, chosen[number].finer(clause)) for number, clause in box)
