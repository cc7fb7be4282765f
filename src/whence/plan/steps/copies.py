"""Repeat every row a number of times, each copy with its number."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whence.plan.catalyst import Attributes, Build, Option
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.expr import Column, call, literal
from whence.plan.rowkey import ValueKey, combine_keys
from whence.plan.step import BoundedStep, FlaggedStep, Step, TracedStep
from whence.plan.traits import Traits


@dataclass(frozen=True)
class Copies(Step):
    """Copies 0 to count - 1 of each row. Grouping sets are read as copies, one for each set."""

    repeatable = "always"

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
    count: int
    number: Column

    def to_catalyst(self) -> Build:
        numbers = call("array", *(literal(number, "int") for number in range(self.count)))
        made = Attributes((self.number,))
        return Build("Generate", (call("explode", numbers), (), False, Option(), made, self.child))

    @property
    def inputs(self) -> tuple[Step, ...]:
        return (self.child,)

    @property
    def columns(self) -> tuple[Column, ...]:
        return (*self.child.columns, self.number)

    @property
    def most_rows(self) -> int:
        return self.count * self.child.most_rows

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        (child,) = inputs
        return TracedStep(
            replace(self, child=child.step), child.carried_ids, combine_keys(child.key, ValueKey((self.number,)))
        )

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        (child,) = inputs
        return replace(child, step=replace(self, child=child.step))

    def with_bounds(self, inputs: tuple[BoundedStep, ...], ids: ColumnIdAllocator) -> BoundedStep:
        (child,) = inputs
        return BoundedStep.handing_on(inputs, self.with_flags((child.flagged,), ids))

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        return inputs[0]
