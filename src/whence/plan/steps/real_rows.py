"""Rows without their ghosts, for rules that cannot follow those: ghosts that nobody would look at are not even made."""

from __future__ import annotations

from whence.plan.step import MarkedStep, Step
from whence.plan.steps.filter import Filter


def real_rows(marked: MarkedStep) -> Step:
    """The step, putting out only rows that are there."""
    if marked.present is None:
        return marked.step
    return Filter(marked.step.without_copies(), marked.is_present)
