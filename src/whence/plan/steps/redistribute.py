"""Operators that hand every row on as it is, wherever it then lies."""

from __future__ import annotations

from dataclasses import dataclass, field

from whence.plan.catalyst import Node, SameNode
from whence.plan.pass_through import PassesRowsThrough
from whence.plan.step import Operator, Step
from whence.plan.traits import Traits


@dataclass(frozen=True)
class Redistribute(PassesRowsThrough, Step):
    """`df.repartition("k")`, DISTRIBUTE BY, CLUSTER BY: the same rows, by key."""

    lineage_rule = "the row itself"
    caveat_rule = "as in the input"
    repeatable = "always"
    read_from = "RepartitionByExpression"

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
        defers_below=True,
        lets_keys_through=True,
        passes_formulas=True,
        only_decides=False,
    )

    child: Step
    handle: object = field(default=None, compare=False, repr=False)

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        return cls(inputs[0], node.handle)

    def to_catalyst(self) -> SameNode:
        return SameNode(self.handle, (self.child,))


class Rebalance(Operator):
    """The REBALANCE hint: the same rows in partitions of a better size."""

    lineage_rule = "the row itself"
    caveat_rule = "as in the input"
    repeatable = "always"
    read_from = "RebalancePartitions"

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        return Redistribute(inputs[0], node.handle)


class Observe(Operator):
    """`df.observe(...)`: the same rows, counted on the way."""

    lineage_rule = "the row itself"
    caveat_rule = "as in the input"
    repeatable = "always"
    read_from = "CollectMetrics"

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        return inputs[0]
