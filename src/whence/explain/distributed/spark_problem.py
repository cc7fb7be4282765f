"""A question about rows that stay in Spark: a sample in memory, and passes over all rows for exact results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from whence.engine.fold import by_group, run_tasks, sum_by_key
from whence.engine.frames import Frame
from whence.explain.aggregates.aggregate import Removable
from whence.explain.arrays import Floats, Ints
from whence.explain.distributed.by_definition import ADDED, ANSWER, group_task, marking_task
from whence.explain.distributed.cells import CellSums, Coarse, cell_problem, cell_task
from whence.explain.distributed.folds import Arrays, BinSums, Fold, Members, Sums, Survey, merged, surveyed, task
from whence.explain.distributed.reading import Reading
from whence.explain.distributed.weigh import Weigher
from whence.explain.influence import Parts, Scorer
from whence.explain.problem import Box, Cells, Problem

Checked = Callable[[Floats], None]
"""Function that gets the recomputed value of every group, and raises if it is not the stored one."""


class SparkProblem:
    """A question about rows in Spark. `sample` is the same question about some of them."""

    def __init__(self, frame: Callable[[], Frame], reading: Reading, sample: Problem, check: Checked) -> None:
        self.sample = sample
        self._make = frame
        self._reading = reading
        self._check = check
        self._members: dict[Box, Ints] = {}
        aggregate = sample.aggregate
        self._rough = (
            Weigher.around(aggregate, sample.columns, sample.owner) if isinstance(aggregate, Removable) else None
        )

    @cached_property
    def _frame(self) -> Frame:
        return self._make()

    def _fold(self, fold: Fold) -> Arrays:
        return merged(fold, run_tasks(self._frame, task(self._reading, fold)))

    @cached_property
    def _surveyed(self) -> Arrays:
        found = self._fold(Survey(self.sample.groups, self._rough))
        if self._rough is not None:
            # As early as possible: no search is worth its time if the values cannot be reproduced.
            self._check(self._rough.aggregate.recover(found["states"]))
        return found

    @cached_property
    def problem(self) -> Problem:
        """The sample, in bins whose ends are those of all rows."""
        return replace(self.sample, attributes=surveyed(self.sample.attributes, self._surveyed))

    @cached_property
    def _weigher(self) -> Weigher:
        """The weights of rows, with the state of whole groups from the survey."""
        assert self._rough is not None, "rows can be taken out of the aggregate"
        return replace(self._rough, totals=self._surveyed["states"])

    @cached_property
    def scorer_of_all(self) -> Scorer:
        """The scorer over all rows: of sums, or of given values if the aggregate has no removable state."""
        groups = self.sample.groups
        if self._rough is None:
            return Scorer(self.sample)
        none = np.zeros(groups)
        cells = Cells(self._surveyed["counts"], none, none, self._surveyed["states"])
        owner = np.arange(groups, dtype=np.int64)
        return Scorer(replace(self.sample, owner=owner, columns=(), attributes=(), sizes=None, cells=cells))

    def cells(self, chosen: Sequence[Coarse]) -> Problem:
        """Return the question about all rows, summarised in coarse bins."""
        width = self._surveyed["states"].shape[1]
        sums = CellSums(self._weigher, tuple(chosen))
        return cell_problem(self.sample, chosen, sum_by_key(self._frame, cell_task(self._reading, sums), 3 + width))

    def scored(self, boxes: Sequence[Box]) -> tuple[Parts, Floats]:
        """Return the exact parts of predicates, and the values without their rows, predicate by group."""
        if self._rough is None:
            return self._by_definition(tuple(boxes))
        found = self._fold(Sums(self.sample.groups, self._weigher, tuple(boxes)))
        return self.scorer_of_all.of_kept(found["kept"], found["gone"][..., 0], found["gone"][..., 1])

    def _by_definition(self, boxes: tuple[Box, ...]) -> tuple[Parts, Floats]:
        kept = tuple(self._reading.measures.values())
        marking = marking_task(self._reading, boxes, kept)
        of_group = group_task(self._reading, self.sample.aggregate, len(boxes))
        table = by_group(self._frame, marking, kept, added=ADDED, of_group=of_group, schema=ANSWER).sort_by("owner")
        before = table.column("before").to_numpy()
        self._check(before)
        # The sample only estimated these values.
        self.scorer_of_all.before = before
        after, removed = (np.array(table.column(name).to_pylist()).T for name in ("after", "removed"))
        masks = [self.sample.mask(box) for box in boxes]
        # Standard errors need the effect of single rows, which only the sample's surrogate weights tell.
        squares = np.stack([self.scorer_of_all.sums(mask)[:, 1] for mask in masks])
        return self.scorer_of_all.of_values(after, removed, squares), after

    def bin_sums(self, pairs: Sequence[tuple[Box, int]]) -> dict[tuple[Box, int], Floats]:
        """Return the sums over the bins of an attribute under a predicate, for many such pairs in one pass."""
        found = self._fold(BinSums(self.sample.groups, self._weigher, tuple(pairs)))
        return {pair: found[str(place)] for place, pair in enumerate(pairs)}

    def members(self, box: Box) -> Ints:
        """Return the ids of the rows behind the outliers that a predicate takes."""
        if box not in self._members:
            rids: Ints = self._fold(Members(self.sample.outliers, box))["rids"]
            self._members = {box: rids[rids >= 0]}  # of one predicate, as there may be very many
        return self._members[box]

    @property
    def has_each_once(self) -> bool:
        """Whether each input row belongs to at most one derivation, so that counting derivations counts rows."""
        return self._reading.owners is not None
