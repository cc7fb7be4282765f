"""Keep the rows that both sides have."""

from __future__ import annotations

from whence.plan.catalyst import Node, Unreadable
from whence.plan.expr import all_of
from whence.plan.step import Operator, Step
from whence.plan.steps.equal_rows import equal_rows


class Intersect(Operator):
    """INTERSECT: read as a group-by over both sides that keeps the groups with rows of each."""

    lineage_rule = "every equal row of both sides"
    caveat_rule = "a row is in doubt unless each side has a certain row equal to it"
    read_from = "Intersect"

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        if node.values["isAll"]:
            raise Unreadable("INTERSECT ALL")
        left, right = inputs
        return equal_rows(left, right, node.fresh, lambda in_left, in_right: all_of(in_left, in_right))
