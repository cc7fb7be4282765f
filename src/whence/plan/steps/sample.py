"""Keep a random part of the rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from whence.plan.catalyst import Build, Node, SameField
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.expr import Column
from whence.plan.rids import Rids
from whence.plan.step import FlaggedStep, Step, TracedStep
from whence.plan.steps.possible_ranks import doubt_kept_rows
from whence.plan.traits import Traits


@dataclass(frozen=True)
class Sample(Step):
    """`df.sample(fraction)`, with or without replacement, TABLESAMPLE."""

    lineage_rule = "the row itself"
    caveat_rule = "cells as in the input; if rows might come or go, so might any row of the sample"
    repeatable = "never"
    read_from = "Sample"
    drops = "the sample left it out"

    traits = Traits(
        keeps_rows=False,
        passes_through=False,
        row_depends_on="any rows",
        is_one_way=False,
        is_conjunctive=False,
        groups_rows=False,
        computes_measures=False,
        reads_around=False,
        gathers_in_python=False,
        defers_below=False,
        lets_keys_through=False,
        passes_formulas=False,
        only_decides=False,
    )

    child: Step
    handle: object = field(default=None, compare=False, repr=False)

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        return cls(inputs[0], node.handle)

    def to_catalyst(self) -> Build:
        fields = ("lowerBound", "upperBound", "withReplacement", "seed")
        kept = tuple(SameField(self.handle, name) for name in fields)
        return Build("Sample", (*kept, self.child, SameField(self.handle, "sampleMethod")))

    @property
    def inputs(self) -> tuple[Step, ...]:
        return (self.child,)

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.child.columns

    @property
    def most_rows(self) -> int:
        return self.child.most_rows

    def on_chosen_rows(self, chosen: Mapping[int, Rids]) -> Step:
        return self.child

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        (child,) = inputs
        return replace(child, step=replace(self, child=child.step))

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        (child,) = inputs
        if child.rows_vary or child.is_loose:
            return doubt_kept_rows(child, lambda step: replace(self, child=step), ids)
        return replace(child, step=replace(self, child=child.step))

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        return inputs[0]
