"""The same rows, with the doubt that some are missing."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whence.plan.catalyst import Build
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.expr import Column, ref
from whence.plan.step import Marked, Step, Traced
from whence.plan.traits import Traits


@dataclass(frozen=True)
class MightMiss(Step):
    """A user stated that rows which are absent might belong here."""

    repeatable = "always"

    traits = Traits(
        keeps_rows=True,
        passes_through=True,
        row_depends_on="row",
        is_one_way=True,
        is_conjunctive=True,
        groups_rows=False,
        computes_measures=False,
        reads_around=False,
        gathers_in_python=False,
        defers_below=False,
        lets_keys_through=False,
        passes_formulas=True,
        only_decides=False,
    )

    child: Step

    def written(self) -> Build:
        return Build("Project", (tuple(map(ref, self.columns)), self.child))

    @property
    def inputs(self) -> tuple[Step, ...]:
        return (self.child,)

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.child.columns

    @property
    def most_rows(self) -> int:
        return self.child.most_rows

    def with_lineage(self, inputs: tuple[Traced, ...], context: RewriteContext) -> Traced:
        (child,) = inputs
        return replace(child, step=replace(self, child=child.step))

    def with_marks(self, inputs: tuple[Marked, ...], ids: ColumnIdAllocator) -> Marked:
        (child,) = inputs
        return replace(child, is_loose=True)

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        return inputs[0]
