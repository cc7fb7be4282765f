"""Keep the rows that only the left side has."""

from __future__ import annotations

from whence.plan.catalyst import Node, Unreadable
from whence.plan.expr import all_of, negate
from whence.plan.step import Operator, Step
from whence.plan.steps.equal_rows import equal_rows


class Except(Operator):
    """EXCEPT: read as a group-by over both sides that keeps the groups with rows of the left one only."""

    lineage_rule = "every equal row of the left side; that the right side has none is influence"
    caveat_rule = "a row is in doubt unless a certain left row supports it and no right row might equal it"
    read_from = "Except"

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        if node.values["isAll"]:
            raise Unreadable("EXCEPT ALL")
        left, right = inputs
        return equal_rows(left, right, node.fresh, lambda in_left, in_right: all_of(in_left, negate(in_right)))
