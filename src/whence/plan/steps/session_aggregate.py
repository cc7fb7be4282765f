"""Group rows by sessions, which Spark merges where they overlap: no row alone says to which session it belongs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whence.plan.catalyst import Build, Node
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.doubt import doubt
from whence.plan.expr import FALSE, TRUE, Column, Expr, any_of, ref
from whence.plan.flags import Flags
from whence.plan.grounds import Grounds
from whence.plan.influence import Influences, influence_of_all_rows
from whence.plan.step import BoundedStep, FlaggedStep, GroupBy, Step, TracedStep
from whence.plan.steps.aggregate import Aggregate
from whence.plan.steps.project import Project
from whence.plan.steps.real_rows import real_rows
from whence.plan.steps.split_aggregate import split_outputs
from whence.plan.traits import Traits


def session_columns(node: Node, child: Step) -> frozenset[Column]:
    """The columns of a node that drops equal rows in which Spark merges sessions."""
    places = node.values.get("sessions", ())
    assert isinstance(places, list | tuple)
    return frozenset(child.columns[place] for place in places)


@dataclass(frozen=True)
class SessionAggregate(Step):
    """GROUP BY with `session_window(time, gap)`: a session ends where no row follows within the gap."""

    lineage_rule = "every row of the session; all others influence, as a row in between would merge sessions"
    caveat_rule = (
        "if no row might come or go and no key is in doubt, as in other groups; else everything is, because a row can "
        "split or merge sessions"
    )
    repeatable = "always"
    read_from = "Aggregate"

    traits = Traits(
        keeps_rows=False,
        passes_through=False,
        row_depends_on="any rows",
        is_one_way=False,
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

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step | None:
        keys, outputs = node.exprs["groupingExpressions"], node.exprs["aggregateExpressions"]
        if not any(key.column is not None and key.column.is_session for key in keys):
            return None
        return split_outputs(keys, outputs, node.ids, lambda made: cls(inputs[0], keys, made))

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

    def needed_columns(self, shown: frozenset[int]) -> frozenset[int]:
        return self._as_aggregate.needed_columns(shown)

    def influences(self) -> Influences:
        # A session ends where no other row follows in time.
        every = influence_of_all_rows(self.child.sources, contributors=self.child.sources)
        return self._as_aggregate.influences() | every

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        return self._as_aggregate.column_map(inputs)

    def grounds(self, inputs: tuple[Grounds, ...]) -> Grounds:
        return self._as_aggregate.grounds(inputs)

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        traced = self._as_aggregate.with_lineage(inputs, context)
        (child,), groups = traced.step.inputs, traced.step.group_by
        outputs = self.outputs if groups is None else groups.outputs
        return replace(traced, step=replace(self, child=child, outputs=outputs))

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        (child,) = inputs
        if self._has_settled_sessions(child):
            return self._as_aggregate.with_flags(inputs, ids)
        # A ghost row would merge the sessions of rows that are there.
        grouped = replace(self, child=real_rows(child))
        flags = Flags(ids)
        cells = flags.cells({expr.output.id: TRUE for expr in self.outputs if not expr.output.is_internal})
        row = flags.flag(TRUE, "row")
        data = tuple(map(ref, grouped.columns))
        return FlaggedStep(Project(grouped, (*data, *flags.exprs)), cells, row, is_loose=True)

    def with_bounds(self, inputs: tuple[BoundedStep, ...], ids: ColumnIdAllocator) -> BoundedStep | None:
        (child,) = inputs
        if self._has_settled_sessions(child.flagged):
            return self._as_aggregate.with_bounds(inputs, ids)
        return None

    @property
    def _as_aggregate(self) -> Aggregate:
        return Aggregate(self.child, self.keys, self.outputs)

    def _has_settled_sessions(self, child: FlaggedStep) -> bool:
        moves = any_of(*(doubt(key, child.doubts) for key in self.keys)) != FALSE
        return not (child.rows_vary or child.is_loose or moves)
