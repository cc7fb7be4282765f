"""Which columns decide which rows a window or a subquery reads; they may belong to rows that it does not read.

A window reads the rows of its frame, but the sort and partition keys of every row decide which rows these are; a
subquery reads rows that its conditions chose from all. Lineage knows the rows read, this module what chose them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from whence.plan.columnmap import Use, Uses
from whence.plan.expr import Expr
from whence.plan.step import Step

ROWS = ""
"""The column name of a use of whole rows: a row that comes or goes decides, too."""

Decisions = Mapping[Expr, Uses]
"""By the name of what is read, the uses that decide about it, from any row."""


def decides_for(plan: Step) -> Decisions:
    """For everything that windows and subqueries of a plan read, what decides about it."""
    found: dict[Expr, Uses] = {}
    for step in plan.walk():
        for name, uses in step.decisions():
            found[name] = found.get(name, frozenset()) | uses
    return found


def deciding_uses(uses: Uses, decisions: Decisions) -> Uses | None:
    """What decides about values with these uses, however deep; None where nothing was read for them."""
    names, waiting = set[Expr](), set(_window_limits(uses))
    if not waiting:
        return None
    found: Uses = frozenset()
    while waiting:
        name = waiting.pop()
        names.add(name)
        found |= decisions.get(name, frozenset())
        waiting |= set(_window_limits(decisions.get(name, frozenset()))) - names
    return found


def _window_limits(uses: Uses) -> Iterator[Expr]:
    return (limit for use in uses for limit in use.limits if limit.kind == "window")


def row_uses(step: Step) -> Uses:
    """The uses of whole rows of every source below a step."""
    return frozenset(Use(source, ROWS, "grouped") for source in step.sources)
