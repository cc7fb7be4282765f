"""Whether leaving source rows out touches only the rows made from them."""

from __future__ import annotations

from collections.abc import Iterable

from whence.plan.step import Step


def is_local(plan: Step, sources: Iterable[int]) -> bool:
    """True if no row of these sources decides about rows it is not in, and no group's value decides about other rows.

    A group that loses a row may change its value: tested, joined or grouped again, it might come, go or move.
    """
    gone = frozenset(sources)
    return not any(each.source in gone for each in plan.influences()) and _only_groups_once(plan, gone)


def _only_groups_once(step: Step, gone: frozenset[int]) -> bool:
    if step.traits.keeps_rows and step.traits.row_depends_on == "row":
        return _only_groups_once(step.inputs[0], gone)
    below = (each for child in step.inputs for each in child.walk())
    return not any(each.traits.groups_rows and each.sources & gone for each in below)
