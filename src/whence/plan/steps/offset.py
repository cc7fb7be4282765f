"""Leave the first rows out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from whence.plan.catalyst import Build, Node, Unreadable
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.doubt import doubt
from whence.plan.expr import FALSE, Column, any_of, literal
from whence.plan.influence import Influences, influence_of_all_rows
from whence.plan.rids import Rids
from whence.plan.step import FlaggedStep, Step, TracedStep
from whence.plan.steps.hidden_order import put_over_order
from whence.plan.steps.possible_ranks import doubt_kept_rows
from whence.plan.traits import Traits


@dataclass(frozen=True)
class Offset(Step):
    """OFFSET, over an ORDER BY or over whatever order the rows have."""

    lineage_rule = "the row itself; the sort keys influence"
    caveat_rule = "if rows might come or go, or a sort key is in doubt, so might any row that is kept"
    repeatable = "if the order is total"
    read_from = "Offset"
    drops = "it is among the rows that are left out at the start"

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
        count = node.expr("offsetExpr")
        if count.kind != "literal" or not isinstance(count.value, int):
            raise Unreadable("an OFFSET that is not a plain number")
        number = count.value
        return put_over_order(inputs[0], lambda rows: cls(rows, number))

    def to_catalyst(self) -> Build:
        return Build("Offset", (literal(self.count, "int"), self.child))

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
        key_doubt = any_of(*(doubt(key.expr, child.doubts) for key in self.child.row_order))
        if key_doubt == FALSE and not child.rows_vary and not child.is_loose:
            return replace(child, step=replace(self, child=child.step))
        return doubt_kept_rows(child, lambda step: replace(self, child=step), ids)

    def influences(self) -> Influences:
        return self.child.influences() | influence_of_all_rows(self.child.sources, contributors=self.child.sources)

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        (child,) = inputs
        return replace(child, row=child.row | child.reads((key.expr for key in self.child.row_order), "filtered"))
