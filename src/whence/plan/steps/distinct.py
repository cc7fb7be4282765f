"""Keep one of each set of equal rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whence.plan.catalyst import Build, Node
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.expr import Column, ref
from whence.plan.influence import Influences
from whence.plan.step import BoundedStep, FlaggedStep, GroupBy, Step, TracedStep
from whence.plan.steps.aggregate import Aggregate
from whence.plan.steps.session_aggregate import SessionAggregate, session_columns
from whence.plan.traits import Traits


@dataclass(frozen=True)
class Distinct(Step):
    """SELECT DISTINCT: a group-by on all columns."""

    lineage_rule = "every row equal to it"
    caveat_rule = (
        "a row is in doubt unless one certain row supports it; doubtful cells might make other rows; sessions of "
        "`session_window` as if grouped by them"
    )
    repeatable = "always"

    read_from = "Distinct"

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

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        (child,) = inputs
        sessions = session_columns(node, child)
        if not sessions:
            return cls(child)
        every = tuple(ref(replace(column, is_session=column in sessions)) for column in child.columns)
        return SessionAggregate(child, every, every)

    def to_catalyst(self) -> Build:
        return Build("Distinct", (self.child,))

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
    def as_group_by(self) -> Aggregate:
        """The group-by it is."""
        every = tuple(ref(column) for column in self.columns)
        return Aggregate(self.child, every, every)

    @property
    def deferrable(self) -> GroupBy:
        return self.as_group_by

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        return self.as_group_by.with_lineage(inputs, context)

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        return self.as_group_by.with_flags(inputs, ids)

    def with_bounds(self, inputs: tuple[BoundedStep, ...], ids: ColumnIdAllocator) -> BoundedStep | None:
        return self.as_group_by.with_bounds(inputs, ids)

    def influences(self) -> Influences:
        return self.as_group_by.influences()

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        return self.as_group_by.column_map(inputs)
