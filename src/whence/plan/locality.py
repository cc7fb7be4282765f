"""Whether leaving source rows out touches only the rows made from them."""

from __future__ import annotations

from collections.abc import Iterable

from whence.plan.step import Step


def is_local(plan: Step, sources: Iterable[int]) -> bool:
    """Whether leaving out rows of these sources changes only rows that were made from them.

    A group that loses a row changes its value; if a filter, join or outer group-by reads that value, other rows change.
    """
    gone = frozenset(sources)
    return not any(each.source in gone for each in plan.influences()) and _only_groups_once(plan, gone)


def _only_groups_once(step: Step, gone: frozenset[int]) -> bool:
    if step.traits.keeps_rows and step.traits.row_depends_on == "row":
        return _only_groups_once(step.inputs[0], gone)
    below = (each for child in step.inputs for each in child.walk())
    return not any(each.traits.groups_rows and each.sources & gone for each in below)
