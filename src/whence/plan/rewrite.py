"""Runs the rules over a whole plan, from the sources up."""

from __future__ import annotations

from whence.plan.caveat_questions import resolve_caveat_questions
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.step import FlaggedStep, Step, TracedStep


def with_lineage(plan: Step, context: RewriteContext) -> TracedStep:
    """Return the plan with row ids carried from the scans to its output."""
    return plan.with_lineage(tuple(with_lineage(step, context) for step in plan.inputs), context)


def with_flags(plan: Step, ids: ColumnIdAllocator) -> FlaggedStep:
    """Return the plan with doubt flags carried to its output; rows that might belong come out too, as ghosts."""
    inputs = tuple(with_flags(step, ids) for step in plan.inputs)
    return resolve_caveat_questions(plan, inputs).with_flags(inputs, ids)


def column_map(plan: Step) -> ColumnMap:
    """Which source columns each output column of the plan reads."""
    return plan.column_map(tuple(column_map(step) for step in plan.inputs))
