"""Keep the rows of the left side that match some row of the right."""

from __future__ import annotations

from whence.plan.catalyst import Node
from whence.plan.expr import TRUE, Column, alias, call, constant, ref
from whence.plan.step import Operator, Step
from whence.plan.steps.aggregate import Aggregate
from whence.plan.steps.inner_join import InnerJoin
from whence.plan.steps.project import Project


class SemiJoin(Operator):
    """LEFT SEMI JOIN ... ON: read as all matching pairs, gathered again by the left row."""

    lineage_rule = "the left row and every right row it matches; the condition's columns influence"
    caveat_rule = "a kept row is in doubt unless one match is certain; a row that might match might belong"
    repeatable = "always"
    read_from = "Join"

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step | None:
        if node.values["joinType"] != "LeftSemi":
            return None
        left, right = inputs
        number = node.ids.column("number", "bigint")
        pairs = InnerJoin(number_rows(left, number), right, node.optional("condition") or TRUE)
        return Aggregate(pairs, (ref(number),), tuple(alias(constant(ref(each)), each) for each in left.columns))


def number_rows(step: Step, number: Column) -> Step:
    """The step with a number on each row that no other row has."""
    return Project(step, (*map(ref, step.columns), alias(call("monotonically_increasing_id"), number)))
