"""The same plan with some steps changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace

from whence.plan.step import Step


def rebuild(step: Step, change: Callable[[Step], Step]) -> Step:
    """The plan with every step changed, from the sources up; `change` gets a step whose inputs are changed already."""
    changed: dict[str, object] = {}
    for each in fields(step):
        value = getattr(step, each.name)
        if isinstance(value, Step):
            changed[each.name] = rebuild(value, change)
        elif isinstance(value, tuple) and any(isinstance(item, Step) for item in value):
            changed[each.name] = tuple(rebuild(item, change) for item in value)
    return change(replace(step, **changed) if changed else step)
