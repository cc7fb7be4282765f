"""Groups of which Spark chooses one row."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whence.plan.catalyst import Build
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.expr import Column, Expr, aggregate, alias, ref
from whence.plan.expr_grounds import ground_columns
from whence.plan.grounds import Grounds
from whence.plan.influence import Influences, influence_of_all_rows
from whence.plan.rowkey import ValueKey
from whence.plan.step import FlaggedStep, GroupBy, Step, TracedStep
from whence.plan.steps.aggregate import Aggregate
from whence.plan.traits import Traits


@dataclass(frozen=True)
class ChosenRows(Step):
    """A group-by whose outputs are all `first`: they see the rows in one order, so they are of one row."""

    repeatable = "always"

    drops = "another row of its set was chosen"

    traits = Traits(
        keeps_rows=False,
        passes_through=False,
        row_depends_on="group",
        is_one_way=True,
        is_conjunctive=False,
        groups_rows=True,
        computes_measures=False,
        reads_around=False,
        gathers_in_python=False,
        defers_below=False,
        lets_keys_through=False,
        passes_formulas=False,
        only_decides=False,
    )

    child: Step
    keys: tuple[Expr, ...]
    outputs: tuple[Expr, ...]

    def to_catalyst(self) -> Build:
        return self._as_aggregate.to_catalyst()

    @property
    def inputs(self) -> tuple[Step, ...]:
        return (self.child,)

    @property
    def columns(self) -> tuple[Column, ...]:
        return self._as_aggregate.columns

    @property
    def most_rows(self) -> int:
        return self._as_aggregate.most_rows

    @property
    def group_by(self) -> GroupBy:
        return self._as_aggregate

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        return self._as_aggregate.with_flags(inputs, ids)

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        return self._as_aggregate.column_map(inputs)

    def grounds(self, inputs: tuple[Grounds, ...]) -> Grounds:
        return ground_columns(self.outputs, inputs[0])  # of one row, so written rows and others never mix

    def influences(self) -> Influences:
        return self._as_aggregate.influences() | influence_of_all_rows(
            self.child.sources, contributors=self.child.sources
        )

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        (child,) = inputs
        columns = [context.ids.column("chosen", each.column.type, nullable=True) for each in child.carried_ids]
        pairs = list(zip(child.carried_ids, columns, strict=True))
        ids = tuple(alias(aggregate("first", ref(old.column)), new) for old, new in pairs)
        step: Step = replace(self, child=child.step, outputs=(*self.outputs, *ids))
        carried = tuple(replace(old, column=new) for old, new in pairs)
        return TracedStep(step, carried, ValueKey(tuple(key.output for key in self.keys)))

    @property
    def _as_aggregate(self) -> Aggregate:
        return Aggregate(self.child, self.keys, self.outputs)
