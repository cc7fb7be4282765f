"""Keep the rows for which a condition holds."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whence.plan.bounds.bound import Bounds
from whence.plan.catalyst import Build, Node
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.doubt import choice_doubt
from whence.plan.expr import FALSE, TRUE, Column, Expr, SortKey, alias, all_of, any_of, holds, ref
from whence.plan.flags import Flags
from whence.plan.step import BoundedStep, FlaggedStep, Step, TracedStep
from whence.plan.steps.project import Project
from whence.plan.traits import Traits


@dataclass(frozen=True)
class Filter(Step):
    """WHERE and HAVING."""

    lineage_rule = "the row itself; the columns of the condition influence"
    caveat_rule = (
        "a kept row is in doubt if its condition could change; a removed row whose condition could change "
        "might belong, and goes on as a ghost row"
    )
    repeatable = "always"

    read_from = "Filter"
    drops = "the condition does not hold"

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
        defers_below=True,
        lets_keys_through=True,
        passes_formulas=True,
        only_decides=False,
    )

    child: Step
    condition: Expr

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        return cls(inputs[0], node.expr("condition"))

    def to_catalyst(self) -> Build:
        return Build("Filter", (self.condition, self.child))

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
        return self.child.row_order

    def with_order_shown(self) -> Step | None:
        child = self.child.with_order_shown()
        return None if child is None else replace(self, child=child)

    @property
    def conditions(self) -> tuple[Expr, ...]:
        return (self.condition,)

    def needed_columns(self, shown: frozenset[int]) -> frozenset[int]:
        return shown | {column.id for column in self.condition.columns}

    @property
    def can_carry_columns(self) -> bool:
        """It is there to doubt rows, and removes none."""
        return _without_caveats(self.condition) == TRUE

    def with_carried_columns(self, child: Step, carried: tuple[Expr, ...], added: tuple[Expr, ...]) -> Step:
        return replace(self, child=Project(child, (*map(ref, child.columns), *added)))

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        (child,) = inputs
        return replace(child, step=replace(self, child=child.step))

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        (child,) = inputs
        return self._with_possible_rows(child, choice_doubt(self.condition, child.doubts), ids)

    def with_bounds(self, inputs: tuple[BoundedStep, ...], ids: ColumnIdAllocator) -> BoundedStep:
        """Rows about which the ranges settle the condition do not come or go."""
        (child,) = inputs
        bounds = Bounds(child.flagged.doubts, child.intervals(), child.reasons, settles_rows=child.settles_rows)
        doubtful = bounds.could_decide_otherwise(self.condition)
        bounded = BoundedStep.handing_on(inputs, self._with_possible_rows(child.flagged, doubtful, ids))
        return replace(bounded, has_fewer_doubts=bounds.could_settle(self.condition))

    def _with_possible_rows(self, child: FlaggedStep, doubtful: Expr, ids: ColumnIdAllocator) -> FlaggedStep:
        """The rows that pass, and as ghosts those that might where the condition is in doubt."""
        if doubtful == FALSE:
            return replace(child, step=replace(self, child=child.step))
        passes, varies = ids.flag("passes"), ids.flag("varies")
        # The condition becomes a column first, so that one that is not repeatable is evaluated once.
        tested = Project(
            child.step,
            (*map(ref, child.step.columns), alias(holds(self.condition), passes), alias(doubtful, varies)),
        )
        possible = Filter(tested, any_of(ref(passes), ref(varies)))
        flags = Flags(ids)
        row = flags.flag(any_of(child.is_row_doubtful, ref(varies)), "row")
        present = flags.present(all_of(child.is_present, ref(passes)))
        cells = flags.cells(child.doubts)
        return FlaggedStep(Project(possible, (*child.data_columns, *flags.exprs)), cells, row, present, child.is_loose)

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        (child,) = inputs
        return replace(child, row=child.row | child.reads([self.condition], "filtered"))


def _without_caveats(expr: Expr) -> Expr:
    return _without_caveats(expr.args[0]) if expr.kind == "caveat" else expr
