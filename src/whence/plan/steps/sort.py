"""Put the rows in order."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whence.plan.catalyst import Build, Node, Option
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.expr import Column, SortKey
from whence.plan.step import Marked, Step, Traced
from whence.plan.traits import Traits


@dataclass(frozen=True)
class Sort(Step):
    """ORDER BY, SORT BY."""

    lineage_rule = "the row itself"
    caveat_rule = "as before; the order itself is not marked"
    repeatable = "if the order is total"

    read_from = "Sort"

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
        defers_below=True,
        lets_keys_through=False,
        passes_formulas=True,
        only_decides=False,
    )

    child: Step
    keys: tuple[SortKey, ...]
    is_global: bool = True
    """Over all rows; else within each partition."""

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        return cls(inputs[0], node.sort_keys["order"], is_global=bool(node.values["global"]))

    def written(self) -> Build:
        return Build("Sort", (self.keys, self.is_global, self.child, Option()))

    @property
    def inputs(self) -> tuple[Step, ...]:
        return (self.child,)

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.child.columns

    @property
    def most_rows(self) -> int:
        return self.child.most_rows

    @property
    def row_order(self) -> tuple[SortKey, ...]:
        return self.keys if self.is_global else ()

    def with_lineage(self, inputs: tuple[Traced, ...], context: RewriteContext) -> Traced:
        (child,) = inputs
        return replace(child, step=replace(self, child=child.step))

    def with_marks(self, inputs: tuple[Marked, ...], ids: ColumnIdAllocator) -> Marked:
        (child,) = inputs
        return replace(child, step=replace(self, child=child.step))

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        return inputs[0]
