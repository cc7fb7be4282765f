"""Number the rows through, in whatever order they have."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from whence.plan.catalyst import Node, SameNode
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap, Use
from whence.plan.context import RewriteContext
from whence.plan.expr import TRUE, Column, ref
from whence.plan.flags import Flags
from whence.plan.step import FlaggedStep, Step, TracedStep
from whence.plan.steps.project import Project
from whence.plan.steps.real_rows import real_rows
from whence.plan.traits import Traits


@dataclass(frozen=True)
class NumberedRows(Step):
    """The default index of pandas on Spark: 0, 1, 2, ..."""

    lineage_rule = "the row itself; the number has no source"
    caveat_rule = "as in the input; if rows might come or go, every number is in doubt"
    repeatable = "never"
    read_from = "AttachDistributedSequence"

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

    child: Step
    number: Column
    handle: object = field(default=None, compare=False, repr=False)

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        return cls(inputs[0], node.expr("sequenceAttr").output, node.handle)

    def to_catalyst(self) -> SameNode:
        return SameNode(self.handle, (self.child,))

    @property
    def inputs(self) -> tuple[Step, ...]:
        return (self.child,)

    @property
    def columns(self) -> tuple[Column, ...]:
        return (self.number, *self.child.columns)

    @property
    def row_number(self) -> Column:
        return self.number

    @property
    def most_rows(self) -> int:
        return self.child.most_rows

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        (child,) = inputs
        return replace(child, step=replace(self, child=child.step))

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        (child,) = inputs
        if not child.rows_vary and not child.is_loose:
            return replace(child, step=replace(self, child=child.step))
        there = real_rows(child)  # ghosts would be numbered along
        flags = Flags(ids)
        cells = flags.cells({**child.doubts, self.number.id: TRUE})
        row = flags.flag(child.is_row_doubtful, "row")
        data = (ref(self.number), *child.data_columns)
        step = Project(replace(self, child=there), (*data, *flags.exprs))
        return FlaggedStep(step, cells, row, is_loose=child.is_loose or child.present is not None)

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        (child,) = inputs
        return replace(child, values={**child.values, self.number.id: frozenset[Use]()})
