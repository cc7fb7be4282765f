"""Put the rows in order."""

from __future__ import annotations

from dataclasses import dataclass

from whence.plan.catalyst import Build, Node, Option
from whence.plan.expr import SortKey
from whence.plan.pass_through import PassesRowsThrough
from whence.plan.step import Step
from whence.plan.traits import Traits


@dataclass(frozen=True)
class Sort(PassesRowsThrough, Step):
    """ORDER BY, SORT BY."""

    lineage_rule = "the row itself"
    caveat_rule = "as in the input; the order itself is not flagged"
    repeatable = "if the order is total"

    read_from = "Sort"

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
        lets_keys_through=False,
        passes_formulas=True,
        only_decides=False,
    )

    child: Step
    keys: tuple[SortKey, ...]
    is_global: bool = True
    """Over all rows; else within each partition."""

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        return cls(inputs[0], node.sort_keys["order"], is_global=bool(node.values["global"]))

    def to_catalyst(self) -> Build:
        return Build("Sort", (self.keys, self.is_global, self.child, Option()))

    def needed_columns(self, shown: frozenset[int]) -> frozenset[int]:
        return shown | {column.id for key in self.keys for column in key.expr.columns}

    @property
    def row_order(self) -> tuple[SortKey, ...]:
        return self.keys if self.is_global else ()
