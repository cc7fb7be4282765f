"""The rows of a window in its order, where spans are looked up."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whence.plan.catalyst import Build
from whence.plan.expr import Column
from whence.plan.pass_through import PassesRowsThrough
from whence.plan.step import CarriedIds, Span, Step, TracedStep
from whence.plan.traits import Traits


@dataclass(frozen=True)
class WindowRows(PassesRowsThrough, Step):
    """The child's rows, remembered with the ids they carried: a step above may drop rows that a span still needs."""

    repeatable = "always"

    traits = Traits(
        keeps_rows=True,
        passes_through=True,
        row_depends_on="unknown",
        is_one_way=False,
        is_conjunctive=False,
        groups_rows=False,
        computes_measures=False,
        reads_around=False,
        gathers_in_python=False,
        defers_below=False,
        lets_keys_through=False,
        passes_formulas=False,
        only_decides=False,
    )

    child: Step
    number: int
    partition: Column
    place: Column
    carried_ids: tuple[CarriedIds, ...]

    def to_catalyst(self) -> Build:
        msg = "the engine writes remembered rows itself"
        raise NotImplementedError(msg)


def count_remembered(plan: Step) -> int:
    """Return how many steps of a plan remember their rows."""
    return sum(isinstance(step, WindowRows) for step in plan.walk())


def without_needless_memory(traced: TracedStep) -> tuple[TracedStep, tuple[WindowRows, ...]]:
    """The plan without the memory of windows whose rows and ids all come out, and what those remembered.

    There the output itself says what stood at which place.
    """
    carried = {each.column for each in traced.carried_ids}
    spans = {each.window for each in traced.carried_ids if isinstance(each, Span)}
    needless: list[WindowRows] = []

    def strip(step: Step) -> Step:
        if not step.traits.keeps_rows:
            return step
        first, *others = step.inputs
        below = strip(first)
        if (
            isinstance(step, WindowRows)
            and step.number in spans
            and {each.column for each in step.carried_ids} <= carried
        ):
            needless.append(step)
            return below
        return step.with_inputs(below, *others)

    return replace(traced, step=strip(traced.step)), tuple(needless)
