"""Runs the rules for ranges over a whole plan, from the sources up; a step without one loses the ranges below it."""

from __future__ import annotations

from dataclasses import replace

from whence.plan.caveat_questions import resolve_caveat_questions
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.step import BoundedStep, Step
from whence.plan.steps.range_free import without_ranges


def with_bounds(plan: Step, ids: ColumnIdAllocator) -> BoundedStep:
    """Return the plan with doubt flags, and with the range of each cell in doubt whose values something bounds."""
    inputs = tuple(with_bounds(step, ids) for step in plan.inputs)
    step = resolve_caveat_questions(plan, tuple(each.flagged for each in inputs))
    bounded = step.with_bounds(inputs, ids)
    has_fewer = any(each.has_fewer_doubts for each in inputs)
    if bounded is not None:
        return replace(bounded, has_fewer_doubts=bounded.has_fewer_doubts or has_fewer)
    flagged = step.with_flags(tuple(map(without_ranges, inputs)), ids)
    reasons = dict.fromkeys(flagged.cells, f"No rule bounds the values of {step.read_from}.")
    return BoundedStep(flagged, {}, reasons, has_fewer)
