"""Whether leaving source rows out touches only the rows made from them."""

from __future__ import annotations

from collections.abc import Iterable

from whence.plan.step import Step
from whence.plan.steps.aggregate import Aggregate
from whence.plan.steps.distinct import Distinct
from whence.plan.steps.project import Project
from whence.plan.steps.repartition import Repartition
from whence.plan.steps.sort import Sort

_KEEPS_ROWS = (Project, Sort, Repartition)


def is_local(plan: Step, sources: Iterable[int]) -> bool:
    """True if no row of these sources decides about rows it is not in, and no group's value decides about other rows.

    A group that loses a row may change its value: tested, joined or grouped again, it might come, go or move.
    """
    gone = frozenset(sources)
    return not any(each.source in gone for each in plan.influences()) and _only_groups_once(plan, gone)


def _only_groups_once(step: Step, gone: frozenset[int]) -> bool:
    if isinstance(step, _KEEPS_ROWS):
        return _only_groups_once(step.child, gone)
    below = (each for child in step.inputs for each in child.walk())
    return not any(isinstance(each, Aggregate | Distinct) and each.sources & gone for each in below)
