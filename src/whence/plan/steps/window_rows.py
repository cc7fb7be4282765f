"""The rows of a window in its order, where spans are looked up."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whence.plan.catalyst import Build
from whence.plan.columnmap import ColumnMap
from whence.plan.expr import Column
from whence.plan.fresh import Fresh
from whence.plan.step import Carried, Marked, Step, Traced


@dataclass(frozen=True)
class WindowRows(Step):
    """The child's rows, remembered with the ids they carried: a step above may drop rows that a span still needs."""

    child: Step
    number: int
    partition: Column
    place: Column
    carried: tuple[Carried, ...]

    def written(self) -> Build:
        msg = "the engine writes remembered rows itself"
        raise NotImplementedError(msg)

    @property
    def inputs(self) -> tuple[Step, ...]:
        return (self.child,)

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.child.columns

    @property
    def most_rows(self) -> int:
        return self.child.most_rows

    def with_lineage(self, inputs: tuple[Traced, ...], fresh: Fresh) -> Traced:
        (child,) = inputs
        return replace(child, step=replace(self, child=child.step))

    def with_marks(self, inputs: tuple[Marked, ...], fresh: Fresh) -> Marked:
        (child,) = inputs
        return replace(child, step=replace(self, child=child.step))

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        return inputs[0]
