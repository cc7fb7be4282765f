"""A single row without columns: where constants come from."""

from __future__ import annotations

from dataclasses import dataclass

from whence.plan.catalyst import Build, Node
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.expr import Column
from whence.plan.grounds import Grounds
from whence.plan.rowkey import ValueKey
from whence.plan.step import FlaggedStep, Step, TracedStep
from whence.plan.traits import Traits


@dataclass(frozen=True)
class OneRow(Step):
    """SELECT without FROM."""

    lineage_rule = "nothing"
    caveat_rule = "nothing is in doubt"
    repeatable = "always"

    read_from = "OneRowRelation"

    traits = Traits(
        keeps_rows=False,
        passes_through=False,
        row_depends_on="row",
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

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        return cls()

    def to_catalyst(self) -> Build:
        return Build("OneRowRelation", ())

    @property
    def inputs(self) -> tuple[Step, ...]:
        return ()

    @property
    def columns(self) -> tuple[Column, ...]:
        return ()

    @property
    def most_rows(self) -> int:
        return 1

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        return TracedStep(self, (), ValueKey())

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        return FlaggedStep(self)

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        return ColumnMap()

    def grounds(self, inputs: tuple[Grounds, ...]) -> Grounds:
        return Grounds(written={})
