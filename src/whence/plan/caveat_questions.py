"""Replaces `has_caveat(value)` by the doubt flag of the value, once the plan carries flags.

The answer tells how the data stands, so it is never in doubt itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from whence.plan.doubt import doubt
from whence.plan.expr import FALSE, Expr, any_of
from whence.plan.expressions import expressions, with_expressions
from whence.plan.higher_order import is_lambda, reads_variables
from whence.plan.step import FlaggedStep, Step


def resolve_caveat_questions(step: Step, inputs: tuple[FlaggedStep, ...]) -> Step:
    """Return the step with each `has_caveat` in it replaced by the flag that it asks for."""
    if not any(node.kind == "has_caveat" for expr in expressions(step) for node in expr.walk()):
        return step
    doubts = {column: flag for flagged in inputs for column, flag in flagged.doubts.items()}

    return with_expressions(step, lambda expr: expr.replace(_answer(doubts, FALSE)))


def _answer(doubts: Mapping[int, Expr], of_elements: Expr) -> Callable[[Expr], Expr | None]:
    """Return the change that answers questions; `of_elements` is the doubt of what variables of lambdas stand for."""

    def answer(node: Expr) -> Expr | None:
        if node.kind == "has_caveat":
            (value,) = node.args
            flag = any_of(doubt(value, doubts), of_elements if reads_variables(value) else FALSE)
            return replace(node, value=flag, handle=None, is_rebuilt=True)
        if not any(map(is_lambda, node.args)):
            return None
        arguments = (doubt(arg, doubts) for arg in node.args if not is_lambda(arg))
        inside = _answer(doubts, any_of(of_elements, *arguments))
        args = tuple(arg.replace(inside if is_lambda(arg) else answer) for arg in node.args)
        return node if args == node.args else replace(node, args=args, is_rebuilt=True)

    return answer
