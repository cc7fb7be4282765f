"""Puts the ids of groups aside before a join copies them: rows then carry a span that names the group."""

from __future__ import annotations

from dataclasses import replace

from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.context import RewriteContext
from whence.plan.expr import Column, Expr, alias, call, literal, ref
from whence.plan.step import CarriedIds, Group, Span, Step, TracedStep
from whence.plan.steps.project import Project
from whence.plan.steps.row_places import SPAN, span_of
from whence.plan.steps.window_rows import WindowRows


def put_groups_aside(side: TracedStep, context: RewriteContext) -> TracedStep:
    """Return one side of a join with a span in place of its groups, where the rewrite saves memory.

    A group that meets many rows is copied to each of them, and collected from each of them by a group-by above: the ids
    of 5,000 rows that meet 5,000 rows are 25 million.
    """
    groups = tuple(each for each in side.carried_ids if isinstance(each, Group))
    if not context.puts_groups_aside or not groups:
        return side
    number, place = context.ids.column("number", "bigint"), context.ids.column("place", "bigint")
    rows = WindowRows(_number_rows(side.step, number, place), context.ids.number(), number, place, groups)
    span, column = _span(rows, groups, context.ids)
    dropped = {each.column for each in groups}
    shown = (ref(each) for each in dict.fromkeys(side.step.columns) if each not in dropped)
    others = tuple(each for each in side.carried_ids if each not in groups)
    return replace(side, step=Project(rows, (*shown, column)), carried_ids=(*others, span))


def _number_rows(step: Step, number: Column, place: Column) -> Step:
    each_once = map(ref, dict.fromkeys(step.columns))
    first = alias(literal(1, "bigint"), place)
    return Project(step, (*each_once, alias(call("monotonically_increasing_id"), number), first))


def _span(rows: WindowRows, groups: tuple[CarriedIds, ...], ids: ColumnIdAllocator) -> tuple[Span, Expr]:
    span = Span(ids.column("span", SPAN, nullable=True), rows.number, None, groups)
    return span, alias(span_of(ref(rows.partition), ref(rows.place)), span.column)
