"""Runs the rules for ranges over a whole plan, from the sources up; a step without one loses the ranges below it."""

from __future__ import annotations

from dataclasses import replace

from whence.plan.bounds.bound import Bounds
from whence.plan.caveat_questions import resolve_caveat_questions
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.step import BoundedStep, Step
from whence.plan.steps.range_free import without_ranges


def with_bounds(plan: Step, ids: ColumnIdAllocator, *, settles_rows: bool = True) -> BoundedStep:
    """Return the plan with doubt flags, and with the range of each cell in doubt whose values something bounds.

    Without `settles_rows` the flags are those that no range has changed: a row comes and goes even where ranges say
    that it cannot. What is computed of such rows then has wider bounds.
    """
    inputs = tuple(_with_bounds(step, ids, settles_rows) for step in plan.inputs)
    step = resolve_caveat_questions(plan, tuple(each.flagged for each in inputs), lambda: _bounds(inputs))
    bounded = step.with_bounds(inputs, ids)
    has_fewer = any(each.has_fewer_doubts for each in inputs)
    if bounded is not None:
        return replace(bounded, has_fewer_doubts=bounded.has_fewer_doubts or has_fewer)
    flagged = step.with_flags(tuple(map(without_ranges, inputs)), ids)
    reasons = dict.fromkeys(flagged.cells, f"No rule bounds the values of {step.read_from}.")
    return BoundedStep(flagged, {}, reasons, has_fewer)


def _with_bounds(plan: Step, ids: ColumnIdAllocator, settles_rows: bool) -> BoundedStep:
    return replace(with_bounds(plan, ids, settles_rows=settles_rows), settles_rows=settles_rows)


def _bounds(inputs: tuple[BoundedStep, ...]) -> Bounds:
    """Finds the intervals of what the inputs hold."""
    doubts = {column: flag for each in inputs for column, flag in each.flagged.doubts.items()}
    intervals = {column: found for each in inputs for column, found in each.intervals().items()}
    return Bounds(doubts, intervals, {column: why for each in inputs for column, why in each.reasons.items()})
