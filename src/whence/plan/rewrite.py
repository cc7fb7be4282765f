"""Runs the rules over a whole plan, from the sources up."""

from __future__ import annotations

from whence.plan.answers import answered
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.step import Marked, Step, Traced


def with_lineage(plan: Step, context: RewriteContext) -> Traced:
    """The plan, carrying row ids."""
    return plan.with_lineage(tuple(with_lineage(step, context) for step in plan.inputs), context)


def with_marks(plan: Step, ids: ColumnIdAllocator) -> Marked:
    """The plan, carrying marks; rows that might belong come out too, as ghosts."""
    inputs = tuple(with_marks(step, ids) for step in plan.inputs)
    return answered(plan, inputs).with_marks(inputs, ids)


def column_map(plan: Step) -> ColumnMap:
    """Which source columns each output column of the plan reads."""
    return plan.column_map(tuple(column_map(step) for step in plan.inputs))
