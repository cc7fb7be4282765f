"""Repeat rows, once as they are and where a claim holds once more: how a caveat rule makes ghosts."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whence.plan.catalyst import Attributes, Build, Option
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.expr import FALSE, TRUE, Column, Expr, alias, call, ref
from whence.plan.step import FlaggedStep, Step, TracedStep
from whence.plan.steps.project import Project
from whence.plan.traits import Traits


@dataclass(frozen=True)
class Spawn(Step):
    """Every row with `copy` False, then with `copy` True where `condition` holds. Only caveat rules make it."""

    repeatable = "always"

    traits = Traits(
        keeps_rows=False,
        passes_through=False,
        row_depends_on="unknown",
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

    child: Step
    condition: Expr
    copy: Column

    def to_catalyst(self) -> Build:
        once, twice = call("array", FALSE), call("array", FALSE, TRUE)
        times = call("explode", Expr("if", (self.condition, twice, once), name="if"))
        return Build("Generate", (times, (), False, Option(), Attributes((self.copy,)), self.child))

    @property
    def inputs(self) -> tuple[Step, ...]:
        return (self.child,)

    @property
    def columns(self) -> tuple[Column, ...]:
        return (*self.child.columns, self.copy)

    @property
    def most_rows(self) -> int:
        return 2 * self.child.most_rows

    def without_copies(self) -> Step:
        # Spark sees that `copy` is always False and drops what asks for it; that an `explode` is needless it does not.
        return Project(self.child, (*map(ref, self.child.columns), alias(FALSE, self.copy)))

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        (child,) = inputs
        return replace(child, step=replace(self, child=child.step))

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        (child,) = inputs
        return replace(child, step=replace(self, child=child.step))

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        return inputs[0]
