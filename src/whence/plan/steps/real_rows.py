"""Rows without their ghosts, for rules that cannot follow those: ghosts that nobody would look at are not even made."""

from __future__ import annotations

from whence.plan.step import FlaggedStep, Step
from whence.plan.steps.filter import Filter


def real_rows(flagged: FlaggedStep) -> Step:
    """The step, putting out only rows that are there."""
    if flagged.present is None:
        return flagged.step
    return Filter(flagged.step.without_copies(), flagged.is_present)
