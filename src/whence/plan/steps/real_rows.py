"""Rows without their ghosts, for rules that cannot follow those: ghosts that nobody would look at are not even made."""

from __future__ import annotations

from dataclasses import replace

from whence.plan.caveat_questions import resolve_caveat_questions
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.expr import ref
from whence.plan.step import FlaggedStep, Step
from whence.plan.steps.filter import Filter
from whence.plan.steps.project import Project


def real_rows(flagged: FlaggedStep) -> Step:
    """The step, putting out only rows that are there."""
    if flagged.present is None:
        return flagged.step
    return Filter(flagged.step.without_copies(), flagged.is_present)


def with_real_rows_only(plan: Step, ids: ColumnIdAllocator) -> FlaggedStep:
    """The plan, carrying flags, in which no ghost goes further than the step that makes it."""
    inputs = tuple(without_ghosts(with_real_rows_only(step, ids)) for step in plan.inputs)
    return resolve_caveat_questions(plan, inputs).with_flags(inputs, ids)


def without_ghosts(flagged: FlaggedStep) -> FlaggedStep:
    """Drop ghosts from a flagged step; `is_loose` records that some absent row might belong."""
    if flagged.present is None:
        return flagged
    flags = (ref(flag) for flag in flagged.step.columns if flag in flagged.flags - {flagged.present})
    return replace(
        flagged, step=Project(real_rows(flagged), (*flagged.data_columns, *flags)), present=None, is_loose=True
    )
