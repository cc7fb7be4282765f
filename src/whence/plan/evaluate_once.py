"""Evaluates nondeterministic conditions of caveats once per row, so that flag and message agree."""

from __future__ import annotations

from dataclasses import replace

from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.expr import Column, Expr, alias, holds, ref
from whence.plan.expressions import with_expressions
from whence.plan.rebuild import rebuild
from whence.plan.step import Step
from whence.plan.steps.project import Project


def evaluate_once(plan: Step, ids: ColumnIdAllocator) -> Step:
    """The plan with conditions such as `rand() < 0.1` as columns of their own, below the projection that asks them."""
    nondeterministic = [
        node for step in plan.walk() for expr in step.projection or () for node in _nondeterministic(expr)
    ]
    return rebuild(plan, lambda step: _with_columns(step, ids)) if nondeterministic else plan


def _with_columns(step: Step, ids: ColumnIdAllocator) -> Step:
    asked: dict[Expr, Column] = {}
    for expr in step.projection or ():
        for node in _nondeterministic(expr):
            asked.setdefault(node.args[1], ids.flag("asked"))
    if not asked:
        return step

    def answer(node: Expr) -> Expr | None:
        if node.kind != "caveat" or node.args[1] not in asked:
            return None
        value = node.args[0].replace(answer)
        return replace(node, args=(value, ref(asked[node.args[1]])), is_rebuilt=True)

    answers = (alias(holds(condition), column) for condition, column in asked.items())
    (child,) = step.inputs
    below = Project(child, (*map(ref, child.columns), *answers))
    return with_expressions(step.with_inputs(below), lambda expr: expr.replace(answer))


def _nondeterministic(expr: Expr) -> list[Expr]:
    return [node for node in expr.caveats if not node.args[1].repeats]
