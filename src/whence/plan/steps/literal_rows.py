"""Rows that stand in the query itself."""

from __future__ import annotations

from dataclasses import dataclass, field

from whence.plan.catalyst import Node, SameField
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.expr import Column
from whence.plan.grounds import WRITTEN, Grounds
from whence.plan.rowkey import ValueKey
from whence.plan.step import FlaggedStep, Operator, Step, TracedStep
from whence.plan.traits import Traits

_UNKNOWN = 1_000_000


@dataclass(frozen=True)
class LiteralRows(Step):
    """VALUES (...): rows written into the query."""

    lineage_rule = "nothing: the row stands in the query"
    caveat_rule = "nothing is in doubt"
    repeatable = "always"
    read_from = "LocalRelation"

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

    row_columns: tuple[Column, ...]
    handle: object = field(default=None, compare=False, repr=False)

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        return cls(tuple(expr.output for expr in node.exprs["output"]), node.handle)

    def to_catalyst(self) -> SameField:
        return SameField(self.handle, "")

    @property
    def inputs(self) -> tuple[Step, ...]:
        return ()

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.row_columns

    @property
    def most_rows(self) -> int:
        return _UNKNOWN

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        return TracedStep(self, (), ValueKey(self.row_columns))  # equal rows are told apart by counting them

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        return FlaggedStep(self)

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        return ColumnMap({column.id: frozenset() for column in self.row_columns})

    def grounds(self, inputs: tuple[Grounds, ...]) -> Grounds:
        return Grounds(written={column.id: WRITTEN for column in self.row_columns})


class NumberRange(Operator):
    """range(n): numbers made by the query."""

    lineage_rule = "nothing: the row is made by the query"
    caveat_rule = "nothing is in doubt"
    repeatable = "always"
    read_from = "Range"

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        return LiteralRows(tuple(expr.output for expr in node.exprs["output"]), node.handle)
