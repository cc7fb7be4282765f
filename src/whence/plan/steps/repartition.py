"""Spread the rows over another number of partitions."""

from __future__ import annotations

from dataclasses import dataclass

from whence.plan.catalyst import Build, Node
from whence.plan.pass_through import PassesRowsThrough
from whence.plan.step import Step
from whence.plan.traits import Traits


@dataclass(frozen=True)
class Repartition(PassesRowsThrough, Step):
    """`df.repartition(n)` and `df.coalesce(n)`: the same rows, elsewhere."""

    lineage_rule = "the row itself"
    caveat_rule = "as in the input"
    repeatable = "always"
    read_from = "Repartition"

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
    partitions: int
    shuffles: bool

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        return cls(inputs[0], int(str(node.values["numPartitions"])), bool(node.values["shuffle"]))

    def to_catalyst(self) -> Build:
        return Build("Repartition", (self.partitions, self.shuffles, self.child))
