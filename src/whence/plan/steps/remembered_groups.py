"""Rows remembered by the group they are handed to Python in, so that what comes out need only name the group."""

from __future__ import annotations

from dataclasses import dataclass

from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.expr import Column, Expr, alias, call, choose, literal, null, ref
from whence.plan.step import CarriedIds, Span, Step, TracedStep
from whence.plan.steps.project import Project
from whence.plan.steps.row_places import SPAN, places, span_of
from whence.plan.steps.window import Window
from whence.plan.steps.window_rows import WindowRows


@dataclass(frozen=True)
class RememberedGroups:
    """Rows with the number of their group, and what they carried."""

    rows: Step
    number: Column
    """The column that holds the number of the group."""
    window: int
    carried_ids: tuple[CarriedIds, ...]

    @classmethod
    def of(cls, child: TracedStep, keys: tuple[Expr, ...], ids: ColumnIdAllocator) -> RememberedGroups:
        """Number the groups that these keys make."""
        each_once = tuple(map(ref, dict.fromkeys(child.step.columns)))
        window = ids.number()
        numbered, exprs, partition, place = places(Project(child.step, each_once), keys, (), ids)
        rows = WindowRows(Window(numbered, exprs, keys, (), window), window, partition, place, child.carried_ids)
        return cls(rows, partition, window, child.carried_ids)

    def span(self, group: Column, ids: ColumnIdAllocator) -> tuple[Span, Expr]:
        """What a row carries that came of the group with this number (NULL: of none), and the column for it."""
        span = Span(ids.column("span", SPAN, nullable=True), self.window, None, self.carried_ids)
        is_none, whole = call("isnull", ref(group)), span_of(ref(group), literal(1, "bigint"))
        return span, alias(choose(is_none, null(SPAN), whole), span.column)
