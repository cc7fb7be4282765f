"""What steps that hand on every row with the same cells have in common."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.expr import Column
from whence.plan.step import BoundedStep, FlaggedStep, Step, TracedStep


class _OverOneStep(Protocol):
    """A step that reads one other."""

    @property
    def child(self) -> Step:
        """The step whose rows pass through."""

    def with_inputs(self, *inputs: Step) -> Step:
        """The same operator over another child."""

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        """The step over a child that carries flags."""


class PassesRowsThrough:
    """Mixin of a step whose rows are the rows of its child: ids, flags and the column map pass through unchanged.

    It is no step itself and states no traits: `class Sort(PassesRowsThrough, Step)` states its own.
    """

    @property
    def inputs(self: _OverOneStep) -> tuple[Step, ...]:
        """The child alone."""
        return (self.child,)

    @property
    def columns(self: _OverOneStep) -> tuple[Column, ...]:
        """The columns of the child."""
        return self.child.columns

    @property
    def most_rows(self: _OverOneStep) -> int:
        """As many as the child has."""
        return self.child.most_rows

    def with_lineage(self: _OverOneStep, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        """The step over a child that carries row ids."""
        (child,) = inputs
        return replace(child, step=self.with_inputs(child.step))

    def with_flags(self: _OverOneStep, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        """The step over a child that carries flags."""
        (child,) = inputs
        return replace(child, step=self.with_inputs(child.step))

    def with_bounds(self: _OverOneStep, inputs: tuple[BoundedStep, ...], ids: ColumnIdAllocator) -> BoundedStep:
        """The step over a child that carries ranges."""
        (child,) = inputs
        return BoundedStep.handing_on(inputs, self.with_flags((child.flagged,), ids))

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        """What the child reads."""
        return inputs[0]
