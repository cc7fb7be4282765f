"""Runs the rules over a whole plan, from the sources up."""

from __future__ import annotations

from whence.plan.answers import answered
from whence.plan.columnmap import ColumnMap
from whence.plan.fresh import Fresh
from whence.plan.step import Marked, Step, Traced


def with_lineage(plan: Step, fresh: Fresh) -> Traced:
    """The plan, carrying row ids."""
    return plan.with_lineage(tuple(with_lineage(step, fresh) for step in plan.inputs), fresh)


def with_marks(plan: Step, fresh: Fresh) -> Marked:
    """The plan, carrying marks; rows that might belong come out too, as ghosts."""
    inputs = tuple(with_marks(step, fresh) for step in plan.inputs)
    return answered(plan, inputs).with_marks(inputs, fresh)


def column_map(plan: Step) -> ColumnMap:
    """Which source columns each output column of the plan reads."""
    return plan.column_map(tuple(column_map(step) for step in plan.inputs))
