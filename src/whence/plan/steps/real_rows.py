"""Rows without their ghosts, for rules that cannot follow those: ghosts that nobody would look at are not even made."""

from __future__ import annotations

from dataclasses import replace

from whence.plan.expr import FALSE, alias, ref
from whence.plan.step import Marked, Step
from whence.plan.steps.filter import Filter
from whence.plan.steps.project import Project
from whence.plan.steps.sort import Sort
from whence.plan.steps.spawn import Spawn


def real_rows(marked: Marked) -> Step:
    """The step, putting out only rows that are there."""
    if marked.present is None:
        return marked.step
    return Filter(_without_copies(marked.step), marked.is_present)


def _without_copies(step: Step) -> Step:
    """The step without copies that were spawned below it: each is a ghost, and stays one while rows go their own way.

    Spark sees that `copy` is always False and drops what asks for it; that an `explode` is needless it does not see.
    """
    if isinstance(step, Project | Sort | Filter):
        return replace(step, child=_without_copies(step.child))
    if isinstance(step, Spawn):
        return Project(step.child, (*map(ref, step.child.columns), alias(FALSE, step.copy)))
    return step
