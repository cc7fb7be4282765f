"""A single row without columns: where constants come from."""

from __future__ import annotations

from dataclasses import dataclass

from whence.plan.catalyst import Build, Node
from whence.plan.columnmap import ColumnMap
from whence.plan.expr import Column
from whence.plan.fresh import Fresh
from whence.plan.rowkey import Values
from whence.plan.step import Marked, Step, Traced


@dataclass(frozen=True)
class OneRow(Step):
    """SELECT without FROM."""

    lineage_rule = "nothing"
    caveat_rule = "nothing is in doubt"

    read_from = "OneRowRelation"

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        return cls()

    def written(self) -> Build:
        return Build("OneRowRelation", ())

    @property
    def inputs(self) -> tuple[Step, ...]:
        return ()

    @property
    def columns(self) -> tuple[Column, ...]:
        return ()

    @property
    def most_rows(self) -> int:
        return 1

    def with_lineage(self, inputs: tuple[Traced, ...], fresh: Fresh) -> Traced:
        return Traced(self, (), Values())

    def with_marks(self, inputs: tuple[Marked, ...], fresh: Fresh) -> Marked:
        return Marked(self)

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        return ColumnMap()
