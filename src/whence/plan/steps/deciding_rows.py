"""Rows that only decide: what they hold is compared with, and never shown."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whence.plan.catalyst import Build
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap, Use
from whence.plan.context import RewriteContext
from whence.plan.expr import Column, ref
from whence.plan.step import FlaggedStep, Step, TracedStep
from whence.plan.traits import Traits


@dataclass(frozen=True)
class DecidingRows(Step):
    """The same rows without their ids: the values of an outer query for which a subquery is worked out."""

    repeatable = "always"

    traits = Traits(
        keeps_rows=True,
        passes_through=False,
        row_depends_on="as below",
        is_one_way=False,
        is_conjunctive=False,
        groups_rows=False,
        computes_measures=False,
        reads_around=False,
        gathers_in_python=False,
        defers_below=False,
        lets_keys_through=False,
        passes_formulas=False,
        only_decides=True,
    )

    child: Step

    def to_catalyst(self) -> Build:
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

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        return TracedStep(self, ())

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        (child,) = inputs
        return replace(child, step=replace(self, child=child.step))

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        return ColumnMap({column.id: frozenset[Use]() for column in self.columns})
