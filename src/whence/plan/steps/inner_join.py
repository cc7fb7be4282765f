"""Pair the rows of two inputs for which a condition holds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from whence.plan.catalyst import INNER, NO_HINT, Build, Node, Option, SameField
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.doubt import choice_doubt
from whence.plan.expr import FALSE, TRUE, Column, Expr, all_of, any_of, holds
from whence.plan.flags import Flags
from whence.plan.rowkey import combine_keys
from whence.plan.step import BoundedStep, FlaggedStep, MostPairs, Step, TracedStep
from whence.plan.steps.groups_aside import put_groups_aside
from whence.plan.steps.pair_bounds import bounds_of_pairs
from whence.plan.steps.project import Project
from whence.plan.traits import Traits

MOST_PAIRS = 20_000_000
"""With doubtful keys every pair that might match is followed, up to this many; beyond, the whole result is loose."""


@dataclass(frozen=True)
class InnerJoin(Step):
    """INNER JOIN ... ON, CROSS JOIN."""

    lineage_rule = "the row of each side; the columns of the condition influence"
    caveat_rule = (
        "a pair is in doubt if either row is or its condition could change; a pair that does not match but could "
        "might belong, and goes on as a ghost row"
    )
    repeatable = "always"

    read_from = "Join"
    drops = "no row of the other side matches"

    traits = Traits(
        keeps_rows=False,
        passes_through=False,
        row_depends_on="row",
        is_one_way=False,
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

    left: Step
    right: Step
    condition: Expr | None
    hint: Build | SameField = field(default=NO_HINT, compare=False, repr=False)
    most_pairs: int | None = field(default=None, compare=False, repr=False)
    """No more pairs than this meet the condition; None if only the number of rows says how many."""

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step | None:
        if node.values["joinType"] not in ("Inner", "Cross"):
            return None
        left, right = inputs
        return cls(left, right, node.optional("condition"), SameField(node.handle, "hint"))

    def to_catalyst(self) -> Build:
        return Build("Join", (self.left, self.right, INNER, Option(self.condition), self.hint))

    @property
    def inputs(self) -> tuple[Step, ...]:
        return (self.left, self.right)

    @property
    def columns(self) -> tuple[Column, ...]:
        return (*self.left.columns, *self.right.columns)

    def needed_columns(self, shown: frozenset[int]) -> frozenset[int]:
        return shown | {column.id for column in (() if self.condition is None else self.condition.columns)}

    @property
    def most_rows(self) -> int:
        return self.left.most_rows * self.right.most_rows if self.most_pairs is None else self.most_pairs

    def with_most_pairs(self, most_pairs: MostPairs) -> Step:
        return (
            self
            if self.condition is None
            else replace(self, most_pairs=most_pairs(self.left, self.right, self.condition))
        )

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        left, right = (put_groups_aside(side, context) for side in inputs)
        joined = replace(self, left=left.step, right=right.step)
        return TracedStep(joined, left.carried_ids + right.carried_ids, combine_keys(left.key, right.key))

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        left, right = inputs
        varies = FALSE if self.condition is None else choice_doubt(self.condition, left.doubts | right.doubts)
        return self._with_possible_pairs(left, right, varies, ids)

    def with_bounds(self, inputs: tuple[BoundedStep, ...], ids: ColumnIdAllocator) -> BoundedStep:
        """Pairs about which the ranges settle the condition do not come or go."""
        left, right = inputs
        bounds, condition = bounds_of_pairs(left, right), TRUE if self.condition is None else self.condition
        varies = bounds.could_decide_otherwise(condition)
        bounded = BoundedStep.handing_on(inputs, self._with_possible_pairs(left.flagged, right.flagged, varies, ids))
        return replace(bounded, has_fewer_doubts=bounds.could_settle(condition))

    def _with_possible_pairs(
        self, left: FlaggedStep, right: FlaggedStep, varies: Expr, ids: ColumnIdAllocator
    ) -> FlaggedStep:
        joined = replace(self, left=left.step, right=right.step)
        matches, is_loose = TRUE, left.is_loose or right.is_loose
        if varies != FALSE and self.most_rows <= MOST_PAIRS and self.condition is not None:
            matches = holds(self.condition)
            joined = replace(joined, condition=any_of(matches, varies))
        elif varies != FALSE:
            is_loose = True
        flags = Flags(ids)
        row = flags.flag(any_of(left.is_row_doubtful, right.is_row_doubtful, varies), "row")
        present = flags.present(all_of(left.is_present, right.is_present, matches))
        cells = flags.cells(left.doubts | right.doubts)
        step = Project(joined, (*left.data_columns, *right.data_columns, *flags.exprs)) if flags.exprs else joined
        return FlaggedStep(step, cells, row, present, is_loose)

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        left, right = inputs
        both = ColumnMap({**left.values, **right.values}, left.row | right.row)
        keys = () if self.condition is None else (self.condition,)
        return replace(both, row=both.row | both.reads(keys, "joined"))
