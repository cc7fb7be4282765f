"""Takes ranges away from an input whose step has no rule for them."""

from __future__ import annotations

from dataclasses import replace

from whence.plan.expr import ref
from whence.plan.step import BoundedStep, FlaggedStep
from whence.plan.steps.project import Project


def without_ranges(bounded: BoundedStep) -> FlaggedStep:
    """The step with its flags alone."""
    gone = {column for each in bounded.ranges.values() for column in each.columns}
    if not gone:
        return bounded.flagged
    kept = tuple(ref(column) for column in bounded.flagged.step.columns if column not in gone)
    return replace(bounded.flagged, step=Project(bounded.flagged.step, kept))
