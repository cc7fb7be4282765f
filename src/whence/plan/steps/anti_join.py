"""Keep the rows of the left side that match no row of the right."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whence.plan.catalyst import LEFT_ANTI, NO_HINT, Build, Node, Option
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.doubt import choice_doubt
from whence.plan.expr import FALSE, TRUE, Column, Expr
from whence.plan.flags import Flags
from whence.plan.grounds import Grounds
from whence.plan.influence import Influences, influence_of_all_rows
from whence.plan.step import BoundedStep, FlaggedStep, Step, TracedStep
from whence.plan.steps.inner_join import MOST_PAIRS
from whence.plan.steps.pair_bounds import bounds_of_pairs
from whence.plan.steps.possible_pairs import PossiblePairs
from whence.plan.steps.project import Project
from whence.plan.steps.real_rows import real_rows
from whence.plan.traits import Traits


@dataclass(frozen=True)
class AntiJoin(Step):
    """LEFT ANTI JOIN ... ON."""

    lineage_rule = "the left row; that nothing matches is influence"
    caveat_rule = "a kept row is in doubt if a match might appear; a row whose last match might vanish might belong"
    repeatable = "always"
    read_from = "Join"
    drops = "a row of the other side matches"

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

    left: Step
    right: Step
    condition: Expr

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step | None:
        if node.values["joinType"] != "LeftAnti":
            return None
        left, right = inputs
        return cls(left, right, node.optional("condition") or TRUE)

    def to_catalyst(self) -> Build:
        return Build("Join", (self.left, self.right, LEFT_ANTI, Option(self.condition), NO_HINT))

    @property
    def inputs(self) -> tuple[Step, ...]:
        return (self.left, self.right)

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.left.columns

    @property
    def most_rows(self) -> int:
        return self.left.most_rows

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        left, _ = inputs
        return replace(left, step=replace(self, left=left.step))

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        left, right = inputs
        return self._with_possible_rows(left, right, choice_doubt(self.condition, left.doubts | right.doubts), ids)

    def with_bounds(self, inputs: tuple[BoundedStep, ...], ids: ColumnIdAllocator) -> BoundedStep:
        """Pairs about which the ranges settle the condition do not come or go."""
        left, right = inputs
        bounds = bounds_of_pairs(left, right)
        varies = bounds.could_decide_otherwise(self.condition)
        bounded = BoundedStep.handing_on(inputs, self._with_possible_rows(left.flagged, right.flagged, varies, ids))
        return replace(bounded, has_fewer_doubts=bounds.could_settle(self.condition))

    def _with_possible_rows(
        self, left: FlaggedStep, right: FlaggedStep, varies: Expr, ids: ColumnIdAllocator
    ) -> FlaggedStep:
        if varies == FALSE and not right.rows_vary and not right.is_loose:
            return replace(left, step=replace(self, left=left.step, right=right.step))
        has_few_pairs = self.left.most_rows * self.right.most_rows <= MOST_PAIRS
        if has_few_pairs and not (right.is_loose or self.runs_in_rounds):
            return PossiblePairs(left, right, self.condition, varies, ids).anti_join()
        flags = Flags(ids)
        cells, row = flags.cells(left.doubts), flags.flag(TRUE, "row")
        present = flags.present(left.is_present)
        kept = Project(replace(self, left=left.step, right=real_rows(right)), (*left.data_columns, *flags.exprs))
        return FlaggedStep(kept, cells, row, present, is_loose=True)

    def influences(self) -> Influences:
        return super().influences() | influence_of_all_rows(self.right.sources, contributors=self.left.sources)

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        left, right = inputs
        both = ColumnMap({**left.values, **right.values}, left.row | right.row)
        return ColumnMap(left.values, both.row | both.reads([self.condition], "joined"))

    def grounds(self, inputs: tuple[Grounds, ...]) -> Grounds:
        return inputs[0]
