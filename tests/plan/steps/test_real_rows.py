"""Rows without their ghosts."""

from __future__ import annotations

from whence.plan.expr import FALSE, Column, Expr, alias, all_of, negate, ref
from whence.plan.step import FlaggedStep, Step
from whence.plan.steps.filter import Filter
from whence.plan.steps.literal_rows import LiteralRows
from whence.plan.steps.project import Project
from whence.plan.steps.real_rows import real_rows
from whence.plan.steps.sort import Sort
from whence.plan.steps.spawn import Spawn

X, THERE, COPY, PRESENT = (
    Column(number, name, "boolean") for number, name in ((1, "x"), (-1, "there"), (-2, "copy"), (-3, "present"))
)
ROWS = LiteralRows((X, THERE))


def with_ghosts(rows: Step) -> Step:
    return Project(rows, (ref(X), alias(all_of(ref(THERE), negate(ref(COPY))), PRESENT)))


def test_rows_that_are_all_there_are_left_alone() -> None:
    assert real_rows(FlaggedStep(ROWS)) is ROWS


def test_copies_are_not_made_under_steps_that_leave_rows_to_themselves() -> None:
    def above(step: Step) -> Step:
        return Sort(Filter(with_ghosts(step), ref(X)), ())

    never: tuple[Expr, ...] = (ref(X), ref(THERE), alias(FALSE, COPY))
    marked = FlaggedStep(above(Spawn(ROWS, ref(X), COPY)), present=PRESENT)
    assert real_rows(marked) == Filter(above(Project(ROWS, never)), ref(PRESENT))


def test_copies_that_a_join_or_group_has_used_stay() -> None:
    grouped = Spawn(with_ghosts(Spawn(ROWS, ref(X), COPY)), ref(X), Column(-4, "copy", "boolean"))
    found = real_rows(FlaggedStep(grouped, present=PRESENT))
    assert [step for step in found.walk() if isinstance(step, Spawn)] == [grouped.child.child]  # type: ignore[attr-defined]
