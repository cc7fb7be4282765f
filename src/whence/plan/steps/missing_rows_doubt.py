"""The same rows, with the doubt that some are missing."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whence.plan.catalyst import Build
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.expr import ref
from whence.plan.pass_through import PassesRowsThrough
from whence.plan.step import FlaggedStep, Step
from whence.plan.traits import Traits


@dataclass(frozen=True)
class MissingRowsDoubt(PassesRowsThrough, Step):
    """A user stated that rows which are absent might belong here."""

    repeatable = "always"

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
        defers_below=False,
        lets_keys_through=False,
        passes_formulas=True,
        only_decides=False,
    )

    child: Step

    def to_catalyst(self) -> Build:
        return Build("Project", (tuple(map(ref, self.columns)), self.child))

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        (child,) = inputs
        return replace(child, is_loose=True)
