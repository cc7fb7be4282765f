"""Rows that are known by their values: a doubtful cell does not change such a row, it makes it another one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whence.plan.catalyst import Build
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.expr import FALSE, Column, all_of, any_of, negate, ref
from whence.plan.flags import Flags
from whence.plan.step import FlaggedStep, Step, TracedStep
from whence.plan.steps.project import Project
from whence.plan.steps.spawn import Spawn
from whence.plan.traits import Traits


@dataclass(frozen=True)
class RowsByValue(Step):
    """The same rows; one with a doubtful cell might be absent, and another one might be there instead."""

    repeatable = "always"

    traits = Traits(
        keeps_rows=True,
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

    remark = (
        "INTERSECT ALL, EXCEPT ALL: of equal left rows, each row of the result comes from one, as Spark numbered them."
    )

    child: Step

    def to_catalyst(self) -> Build:
        return Build("Project", (tuple(map(ref, self.columns)), self.child))

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
        (child,) = inputs
        return TracedStep(replace(self, child=child.step), child.carried_ids)

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        (child,) = inputs
        is_other = any_of(*child.doubts.values())
        if is_other == FALSE:
            return child
        copy = ids.flag("copy")
        spawned = Spawn(child.step, is_other, copy)
        flags = Flags(ids)
        cells = flags.cells({column: all_of(ref(copy), flag) for column, flag in child.doubts.items()})
        row = flags.flag(any_of(child.is_row_doubtful, is_other), "row")
        present = flags.present(all_of(child.is_present, negate(ref(copy))))
        return FlaggedStep(Project(spawned, (*child.data_columns, *flags.exprs)), cells, row, present, child.is_loose)

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        return inputs[0]
