"""Gives each row its place in its partition, and each partition a number."""

from __future__ import annotations

from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.expr import (
    RUNNING_FRAME,
    WHOLE_PARTITION,
    Column,
    Expr,
    SortKey,
    aggregate,
    alias,
    call,
    literal,
    ref,
    window,
)
from whence.plan.step import Step
from whence.plan.steps.project import Project

SPAN = "struct<partition:bigint,place:bigint,first:bigint,last:bigint>"

LAST = 2**31 - 1
"""A place that no partition reaches: the end, whatever it is."""


def places(
    child: Step, keys: tuple[Expr, ...], order: tuple[SortKey, ...], ids: ColumnIdAllocator
) -> tuple[Step, tuple[Expr, Expr], Column, Column]:
    """The child with its rows numbered, the window expressions over it, and the columns for partition and place."""
    number = ids.column("number", "bigint")
    partition, place = ids.column("partition", "bigint"), ids.column("place", "bigint")
    columns = tuple(map(ref, child.columns))
    numbered = Project(child, (*columns, alias(call("monotonically_increasing_id"), number)))
    # Counting instead of row_number, because a window need not be ordered.
    count = window(aggregate("count", literal(1, "int")), keys, order, RUNNING_FRAME)
    # Without keys there is one partition, which has number 0.
    first = aggregate("min", ref(number) if keys else literal(0, "bigint"))
    exprs = (alias(count, place), alias(window(first, keys, order, WHOLE_PARTITION), partition))
    return numbered, exprs, partition, place


def span_of(partition: Expr, place: Expr, first: Expr | None = None, last: Expr | None = None) -> Expr:
    """The struct that a span carries; without ends, the whole partition."""
    ends = {"first": first or literal(1, "bigint"), "last": last or literal(LAST, "bigint")}
    parts = {"partition": partition, "place": place, **ends}
    return call("named_struct", *(part for key, value in parts.items() for part in (literal(key, "string"), value)))
