"""Keep the rows that only the left side has."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from whence.plan.catalyst import Node
from whence.plan.expr import all_of, call, negate
from whence.plan.influence import Influences, whole
from whence.plan.step import Operator, Step
from whence.plan.steps.counted_rows import counted_rows
from whence.plan.steps.equal_rows import equal_rows
from whence.plan.steps.project import Project


class Except(Operator):
    """EXCEPT: read as a group-by over both sides that keeps those with rows of the left one only; ALL subtracts."""

    lineage_rule = (
        "every equal row of the left side; that the right side has none is influence; with ALL one equal left row, "
        "each row of the result its own as Spark numbered them"
    )
    caveat_rule = "a row is in doubt unless a certain left row supports it and no right row might equal it"
    read_from = "Except"

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        left, right = inputs
        if node.values["isAll"]:
            return counted_rows(left, right, node.fresh, partial(call, ">"), shows_right=False)
        kept = equal_rows(left, right, node.fresh, lambda in_left, in_right: all_of(in_left, negate(in_right)))
        return OnlyLeft(kept.child, kept.exprs, right.sources)


@dataclass(frozen=True)
class OnlyLeft(Project):
    """The rows of the left side that the right side has not."""

    absent: frozenset[int] = frozenset()
    """The sources of the right side."""

    def influences(self) -> Influences:
        return super().influences() | whole(self.absent, beside=self.child.sources - self.absent)
