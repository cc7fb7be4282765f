"""The same plan with some steps changed."""

from __future__ import annotations

from collections.abc import Callable

from whence.plan.step import Step


def rebuild(step: Step, change: Callable[[Step], Step]) -> Step:
    """The plan with every step changed, from the sources up; `change` gets a step whose inputs are changed already."""
    inputs = tuple(rebuild(each, change) for each in step.inputs)
    return change(step.with_inputs(*inputs) if inputs else step)
