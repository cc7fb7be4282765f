"""Whether all rows of a window come out of the plan: then the output itself says what stood at which place."""

from __future__ import annotations

from dataclasses import replace

from whence.plan.step import Span, Step, Traced
from whence.plan.steps.project import Project
from whence.plan.steps.repartition import Repartition
from whence.plan.steps.scalar_subquery import ScalarSubquery
from whence.plan.steps.sort import Sort
from whence.plan.steps.window import Window
from whence.plan.steps.window_rows import WindowRows

_KEEP_ROWS = Project | Sort | Repartition | Window | ScalarSubquery


def without_needless_memory(traced: Traced) -> tuple[Traced, tuple[WindowRows, ...]]:
    """The plan without the memory of windows whose rows and ids all come out, and what those remembered."""
    carried = {each.column for each in traced.carried}
    spans = {each.window for each in traced.carried if isinstance(each, Span)}
    found: list[WindowRows] = []

    def strip(step: Step) -> Step:
        if isinstance(step, WindowRows):
            below = strip(step.child)
            if step.number in spans and {each.column for each in step.carried} <= carried:
                found.append(step)
                return below
            return replace(step, child=below)
        return replace(step, child=strip(step.child)) if isinstance(step, _KEEP_ROWS) else step

    return replace(traced, step=strip(traced.step)), tuple(found)
