"""Groups equal rows of two inputs and keeps groups by which of the inputs they have rows of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from whence.plan.catalyst import Build
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.expr import FALSE, TRUE, Column, Expr, alias, exists, ref
from whence.plan.step import BoundedStep, FlaggedStep, Step, TracedStep
from whence.plan.steps.aggregate import Aggregate
from whence.plan.steps.filter import Filter
from whence.plan.steps.project import Project
from whence.plan.steps.union_all import UnionAll
from whence.plan.traits import Traits


@dataclass(frozen=True)
class SetOperationFilter(Step):
    """The sets of equal rows that the operation keeps, by the rules of a filter."""

    repeatable = "always"

    drops = "the set operation keeps no row equal to it"

    traits = Traits(
        keeps_rows=False,
        passes_through=False,
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
    condition: Expr

    def to_catalyst(self) -> Build:
        return self._filter.to_catalyst()

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
        return self._filter.with_lineage(inputs, context)

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        return self._filter.with_flags(inputs, ids)

    def with_bounds(self, inputs: tuple[BoundedStep, ...], ids: ColumnIdAllocator) -> BoundedStep:
        return self._filter.with_bounds(inputs, ids)

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        return self._filter.column_map(inputs)

    @property
    def _filter(self) -> Filter:
        return Filter(self.child, self.condition)


def equal_rows(left: Step, right: Step, ids: ColumnIdAllocator, keeps: Callable[[Expr, Expr], Expr]) -> Project:
    """One row for each distinct row of either side for which `keeps(is in left, is in right)` holds."""
    columns = tuple(map(ref, left.columns))
    of_left, of_right = ids.named_column("of left", "boolean"), ids.named_column("of right", "boolean")
    both = UnionAll(
        (
            _with_labels(left, alias(TRUE, of_left), alias(FALSE, of_right)),
            _with_labels(right, alias(FALSE, _new_label(ids)), alias(TRUE, _new_label(ids))),
        )
    )
    in_left, in_right = ids.named_column("in left", "boolean"), ids.named_column("in right", "boolean")
    outputs = (*columns, alias(exists(ref(of_left)), in_left), alias(exists(ref(of_right)), in_right))
    grouped = Aggregate(both, columns, outputs)
    return Project(SetOperationFilter(grouped, keeps(ref(in_left), ref(in_right))), columns)


def _with_labels(side: Step, *labels: Expr) -> Step:
    return Project(side, (*map(ref, side.columns), *labels))


def _new_label(ids: ColumnIdAllocator) -> Column:
    return ids.named_column("of side", "boolean")
