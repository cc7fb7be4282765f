"""Keeps as many of the equal rows of one input as the other input leaves it: INTERSECT ALL and EXCEPT ALL."""

from __future__ import annotations

from collections.abc import Callable

from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.expr import RUNNING_FRAME, Expr, aggregate, alias, all_of, call, literal, ref, window
from whence.plan.step import Step
from whence.plan.steps.aggregate import Aggregate
from whence.plan.steps.deciding_rows import DecidingRows
from whence.plan.steps.filter import Filter
from whence.plan.steps.project import Project
from whence.plan.steps.rows_by_value import RowsByValue
from whence.plan.steps.scalar_subquery import ScalarSubquery
from whence.plan.steps.window import Window

Keeps = Callable[[Expr, Expr], Expr]
"""Whether the n-th of equal left rows is kept, given how many equal rows the right side has."""


def counted_rows(left: Step, right: Step, ids: ColumnIdAllocator, keeps: Keeps, *, shows_right: bool) -> Step:
    """The left rows, numbered among those equal to them, for which `keeps(number, count on the right)` holds."""
    columns = tuple(map(ref, left.columns))
    number, count = ids.named_column("number", "bigint"), ids.named_column("count", "bigint")
    one = literal(1, "int")
    numbering = alias(window(aggregate("count", one), columns, (), RUNNING_FRAME), number)
    numbered = Window(left, (numbering,), columns, (), ids.number())
    keys = tuple(map(ref, right.columns))
    names = tuple(ids.named_column(column.name, column.type) for column in right.columns)
    named = tuple(alias(key, name) for key, name in zip(keys, names, strict=True))
    counted: Step = Aggregate(right, keys, (*named, alias(aggregate("count", one), count)))
    counted = counted if shows_right else DecidingRows(counted)
    agree = all_of(*(call("<=>", own, ref(other)) for own, other in zip(columns, names, strict=True)))
    both = ScalarSubquery(numbered, counted, ids.number(), agree, always_contributes=shows_right)
    on_right = Expr("coalesce", (ref(count), literal(0, "bigint")), name="coalesce")
    return RowsByValue(Project(Filter(both, keeps(ref(number), on_right)), columns))
