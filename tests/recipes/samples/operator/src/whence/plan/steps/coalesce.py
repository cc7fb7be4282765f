"""Put the rows into fewer partitions."""

from __future__ import annotations

from dataclasses import dataclass

from whence.plan.catalyst import Build, Node
from whence.plan.pass_through import PassesRowsThrough
from whence.plan.step import Step
from whence.plan.traits import Traits


@dataclass(frozen=True)
class Coalesce(PassesRowsThrough, Step):
    """`df.coalesce(n)`: the same rows in fewer partitions."""

    lineage_rule = "the row itself"
    caveat_rule = "as before"
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

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step | None:
        # Spark has one operator for both; with a shuffle it is `df.repartition(n)`.
        return None if node.values["shuffle"] else cls(inputs[0], int(str(node.values["numPartitions"])))

    def to_catalyst(self) -> Build:
        return Build("Repartition", (self.partitions, False, self.child))
