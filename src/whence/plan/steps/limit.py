"""Keep the first rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whence.plan.catalyst import Build, Node, Unreadable
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.expr import Column, literal
from whence.plan.influence import Influences, influence_of_all_rows
from whence.plan.step import BoundedStep, FlaggedStep, Step, TracedStep
from whence.plan.steps.hidden_order import put_over_order
from whence.plan.steps.possible_ranks import possible_ranks
from whence.plan.traits import Traits


@dataclass(frozen=True)
class Limit(Step):
    """LIMIT, over an ORDER BY or over whatever order the rows have."""

    lineage_rule = "the row itself; the sort keys influence"
    caveat_rule = (
        "a kept row is in doubt if enough rows that might come before it could push it out; a removed row might "
        "belong if too few rows before it are certain"
    )
    repeatable = "if the order is total"

    read_from = "GlobalLimit"
    drops = "it is not among the first rows"

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
        defers_below=True,
        lets_keys_through=False,
        passes_formulas=True,
        only_decides=False,
    )

    child: Step
    count: int

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        count = node.expr("limitExpr")
        if count.kind != "literal" or not isinstance(count.value, int):
            raise Unreadable("a LIMIT that is not a plain number")
        number = count.value
        return put_over_order(inputs[0], lambda rows: cls(rows, number))

    def to_catalyst(self) -> Build:
        count = literal(self.count, "int")
        return Build("GlobalLimit", (count, Build("LocalLimit", (count, self.child))))

    @property
    def inputs(self) -> tuple[Step, ...]:
        return (self.child,)

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.child.columns

    @property
    def most_rows(self) -> int:
        return min(self.count, self.child.most_rows)

    def needed_columns(self, shown: frozenset[int]) -> frozenset[int]:
        return shown

    @property
    def row_limit(self) -> int:
        return self.count

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        (child,) = inputs
        return replace(child, step=replace(self, child=child.step))

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        (child,) = inputs
        return possible_ranks(child, self.child.row_order, self.count, lambda step: replace(self, child=step), ids)

    def with_bounds(self, inputs: tuple[BoundedStep, ...], ids: ColumnIdAllocator) -> BoundedStep:
        (child,) = inputs
        return BoundedStep.handing_on(inputs, self.with_flags((child.flagged,), ids))

    def influences(self) -> Influences:
        return self.child.influences() | influence_of_all_rows(self.child.sources, contributors=self.child.sources)

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        (child,) = inputs
        return replace(child, row=child.row | child.reads((key.expr for key in self.child.row_order), "filtered"))
