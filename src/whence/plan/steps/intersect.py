"""Keep the rows that both sides have."""

from __future__ import annotations

from functools import partial

from whence.plan.catalyst import Node
from whence.plan.expr import all_of, call
from whence.plan.step import Operator, Step
from whence.plan.steps.counted_rows import counted_rows
from whence.plan.steps.equal_rows import equal_rows


class Intersect(Operator):
    """INTERSECT: read as a group-by over both sides that keeps the groups with rows of each; ALL keeps as many rows."""

    lineage_rule = (
        "every equal row of both sides; with ALL one equal left row, each row of the result its own as Spark numbered "
        "them, and every equal right row"
    )
    caveat_rule = "a row is in doubt unless each side has a certain row equal to it"
    repeatable = "always"
    read_from = "Intersect"

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        left, right = inputs
        if node.values["isAll"]:
            return counted_rows(left, right, node.ids, partial(call, "<="), shows_right=True)
        return equal_rows(left, right, node.ids, lambda in_left, in_right: all_of(in_left, in_right))
