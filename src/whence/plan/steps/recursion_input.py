"""The rows of the round before, as the recursive part of a query reads them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from whence.plan.catalyst import Attributes, Build, ConcatenatedSeqs, Node, SameField
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.expr import Column
from whence.plan.grounds import Grounds
from whence.plan.step import CarriedIds, FlaggedStep, Step, TracedStep
from whence.plan.traits import Traits

MOST_ROWS = 1_000_000
"""How many rows Spark lets a recursion make, unless a setting says otherwise."""


@dataclass(frozen=True)
class RecursionInput(Step):
    """The name of a recursive query inside itself.

    What its rows carry is what the recursion carries, which `Recursion` tells it: until then it carries nothing.
    """

    lineage_rule = "the row of the round before"
    caveat_rule = "as in the round before"
    repeatable = "always"
    read_from = "UnionLoopRef"

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
    loop: int
    handle: object = field(default=None, compare=False, repr=False)
    internal_columns: tuple[Column, ...] = ()
    carried_ids: tuple[CarriedIds, ...] = ()
    cells: Mapping[int, Column] = field(default_factory=dict)
    row: Column | None = None
    is_loose: bool = False
    uses: ColumnMap = field(default_factory=ColumnMap)
    made_of: Grounds = field(default_factory=Grounds)

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        return cls(tuple(expr.output for expr in node.exprs["output"]), loop_number(node, "loopId"), node.handle)

    def to_catalyst(self) -> Build | SameField:
        if not self.internal_columns:
            return SameField(self.handle, "")
        output = ConcatenatedSeqs((SameField(self.handle, "output"), Attributes(self.internal_columns)))
        return Build("UnionLoopRef", (SameField(self.handle, "loopId"), output, SameField(self.handle, "accumulated")))

    @property
    def inputs(self) -> tuple[Step, ...]:
        return ()

    @property
    def columns(self) -> tuple[Column, ...]:
        return (*self.row_columns, *self.internal_columns)

    @property
    def most_rows(self) -> int:
        return MOST_ROWS

    @property
    def runs_in_rounds(self) -> bool:
        return True

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        return TracedStep(self, self.carried_ids)

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        return FlaggedStep(self, self.cells, self.row, is_loose=self.is_loose)

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        return self.uses

    def grounds(self, inputs: tuple[Grounds, ...]) -> Grounds:
        return self.made_of


def loop_number(node: Node, name: str) -> int:
    """The number by which Spark knows a recursion."""
    number = node.values[name]
    assert isinstance(number, int)
    return number


def inputs_of(plan: Step, loop: int) -> tuple[RecursionInput, ...]:
    """The places where a plan reads the rows of this recursion."""
    return tuple(step for step in plan.walk() if isinstance(step, RecursionInput) and step.loop == loop)
