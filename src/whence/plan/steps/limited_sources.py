"""Ids carried once more for each FILTER clause, where the clause holds."""

from __future__ import annotations

from dataclasses import replace

from whence.plan.context import RewriteContext
from whence.plan.expr import Expr, alias, holds, null, ref
from whence.plan.limits import Limits
from whence.plan.step import CarriedIds, Rid, TracedStep
from whence.plan.steps.project import Project


def with_limited_sources(child: TracedStep, clauses: tuple[Expr, ...], context: RewriteContext) -> TracedStep:
    """The input carrying its ids once more for each clause, in the order of the clauses."""
    made = [_limit_ids(each, clause, context) for clause in clauses for each in child.carried_ids]
    if not made:
        return child
    exprs = (*map(ref, child.step.columns), *(expr for _, expr in made))
    return replace(
        child, step=Project(child.step, exprs), carried_ids=(*child.carried_ids, *(carried for carried, _ in made))
    )


def renumber_source(carried: CarriedIds, clause: Expr, limits: Limits) -> CarriedIds:
    """The same ids under the number that their source has as this clause limits it."""
    if isinstance(carried, Rid):
        return replace(carried, source=limits.of(carried.source, clause))
    return replace(carried, members=tuple(renumber_source(each, clause, limits) for each in carried.members))


def _limit_ids(carried: CarriedIds, clause: Expr, context: RewriteContext) -> tuple[CarriedIds, Expr]:
    column = context.ids.column("limited", carried.column.type, nullable=True)
    value = Expr("if", (holds(clause), ref(carried.column), null(carried.column.type)), name="if")
    return replace(renumber_source(carried, clause, context.limits), column=column), alias(value, column)
