"""What decides about the values that windows and subqueries read: columns of rows that need not be among those read.

A window reads the rows of its frame, but which rows these are hangs on the sort and partition keys of every row; a
subquery reads rows that its conditions chose from all. Lineage tells the former, and this the latter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from whence.plan.columnmap import Use, Uses
from whence.plan.expr import Expr
from whence.plan.rewrite import column_map
from whence.plan.step import Step
from whence.plan.steps.only_decides import OnlyDecides
from whence.plan.steps.scalar_subquery import ScalarSubquery
from whence.plan.steps.window import Window
from whence.plan.steps.window_readings import WindowReading

ROWS = ""
"""Stands for the column of a use that is of whole rows: one that comes or goes decides, too."""

Decisions = Mapping[Expr, Uses]
"""By the name of what is read, the uses that decide about it, from any row."""


def decides_for(plan: Step) -> Decisions:
    """For everything that windows and subqueries of a plan read, what decides about it."""
    found: dict[Expr, Uses] = {}
    for step in plan.walk():
        made = _of_window(step) if isinstance(step, Window) else _of_subquery(step)
        for name, uses in made:
            found[name] = found.get(name, frozenset()) | uses
    return found


def deciding_uses(uses: Uses, decisions: Decisions) -> Uses | None:
    """What decides about values with these uses, however deep; None where nothing was read for them."""
    names, waiting = set[Expr](), set(_named(uses))
    if not waiting:
        return None
    found: Uses = frozenset()
    while waiting:
        name = waiting.pop()
        names.add(name)
        found |= decisions.get(name, frozenset())
        waiting |= set(_named(decisions.get(name, frozenset()))) - names
    return found


def _named(uses: Uses) -> Iterator[Expr]:
    return (limit for use in uses for limit in use.limits if limit.kind == "window")


def _of_window(step: Window) -> Iterator[tuple[Expr, Uses]]:
    child = column_map(step.child)
    keys = [*step.partition, *(key.expr for key in step.order)]
    for reading in step.readings:
        # What decides which rows there are below decides which rows there are to read.
        yield reading.name, child.reads((*keys, *_choosing(reading)), "grouped") | child.row | _rows(step.child)


def _choosing(reading: WindowReading) -> Iterable[Expr]:
    """A FILTER clause, and values by which a function chooses one row of several."""
    condition = reading.function.condition
    clause = () if condition is None else (condition,)
    frame = reading.over.frame
    is_one_row = frame.kind == "rows" and frame.low is not None and frame.low == frame.high
    chooses = reading.skips_nulls or (reading.reads_one_row and not is_one_row)
    return (*clause, *reading.read_args) if chooses else clause


def _of_subquery(step: Step) -> Iterator[tuple[Expr, Uses]]:
    if not isinstance(step, ScalarSubquery):
        return
    child, scalar = column_map(step.child), column_map(step.scalar)
    both = type(child)({**child.values, **scalar.values})
    inside = [column_map(each.child) for each in step.scalar.walk() if isinstance(each, OnlyDecides)]
    outer = (uses for each in inside for uses in (each.row, *each.values.values()))
    yield step.reading, scalar.row.union(both.reads([step.condition], "joined"), _rows(step.scalar), *outer)


def _rows(step: Step) -> Uses:
    return frozenset(Use(source, ROWS, "grouped") for source in step.sources)
