"""Ids carried once more for each FILTER clause, where the clause holds."""

from __future__ import annotations

from dataclasses import replace

from whence.plan.context import RewriteContext
from whence.plan.expr import Expr, alias, holds, null, ref
from whence.plan.limits import Limits
from whence.plan.step import Carried, Rid, Traced
from whence.plan.steps.project import Project


def with_limited_sources(child: Traced, clauses: tuple[Expr, ...], context: RewriteContext) -> Traced:
    """The input carrying its ids once more for each clause, in the order of the clauses."""
    made = [_limited(each, clause, context) for clause in clauses for each in child.carried]
    if not made:
        return child
    exprs = (*map(ref, child.step.columns), *(expr for _, expr in made))
    return replace(child, step=Project(child.step, exprs), carried=(*child.carried, *(carried for carried, _ in made)))


def renumbered(carried: Carried, clause: Expr, limits: Limits) -> Carried:
    """The same ids under the number that their source has as this clause limits it."""
    if isinstance(carried, Rid):
        return replace(carried, source=limits.of(carried.source, clause))
    return replace(carried, members=tuple(renumbered(each, clause, limits) for each in carried.members))


def _limited(carried: Carried, clause: Expr, context: RewriteContext) -> tuple[Carried, Expr]:
    column = context.ids.column("limited", carried.column.type, nullable=True)
    value = Expr("if", (holds(clause), ref(carried.column), null(carried.column.type)), name="if")
    return replace(renumbered(carried, clause, context.limits), column=column), alias(value, column)
