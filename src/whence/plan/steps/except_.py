"""Keep the rows that only the left side has."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from whence.plan.catalyst import Build, Node
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.context import RewriteContext
from whence.plan.expr import all_of, call, negate, ref
from whence.plan.influence import Influences, influence_of_all_rows
from whence.plan.pass_through import PassesRowsThrough
from whence.plan.step import FlaggedStep, Operator, Step, TracedStep
from whence.plan.steps.counted_rows import counted_rows
from whence.plan.steps.equal_rows import equal_rows
from whence.plan.traits import Traits


class Except(Operator):
    """EXCEPT: read as a group-by over both sides that keeps those with rows of the left one only; ALL subtracts."""

    lineage_rule = (
        "every equal row of the left side; that the right side has none is influence; with ALL one equal left row, "
        "each row of the result its own as Spark numbered them"
    )
    caveat_rule = "a row is in doubt unless a certain left row supports it and no right row might equal it"
    repeatable = "always"
    read_from = "Except"

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        left, right = inputs
        if node.values["isAll"]:
            return counted_rows(left, right, node.ids, partial(call, ">"), shows_right=False)
        kept = equal_rows(left, right, node.ids, lambda in_left, in_right: all_of(in_left, negate(in_right)))
        return LeftOnlyRows(kept, right.sources)


@dataclass(frozen=True)
class LeftOnlyRows(PassesRowsThrough, Step):
    """The rows of the left side that the right side has not: sources of the right side influence each of them."""

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
    absent: frozenset[int]
    """The sources of the right side."""

    def to_catalyst(self) -> Build:
        return Build("Project", (tuple(map(ref, self.columns)), self.child))

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        (child,) = inputs
        return child

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        (child,) = inputs
        return child

    def influences(self) -> Influences:
        return self.child.influences() | influence_of_all_rows(
            self.absent, contributors=self.child.sources - self.absent
        )
