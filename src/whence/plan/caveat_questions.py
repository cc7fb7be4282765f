"""Replaces `has_caveat(value)` by the doubt flag of the value, once the plan carries flags.

The answer tells how the data stands, so it is never in doubt itself.
"""

from __future__ import annotations

from dataclasses import replace

from whence.plan.doubt import doubt
from whence.plan.expr import Expr
from whence.plan.expressions import expressions, with_expressions
from whence.plan.step import FlaggedStep, Step


def resolve_caveat_questions(step: Step, inputs: tuple[FlaggedStep, ...]) -> Step:
    """Return the step with each `has_caveat` in it replaced by the flag that it asks for."""
    if not any(node.kind == "has_caveat" for expr in expressions(step) for node in expr.walk()):
        return step
    doubts = {column: flag for flagged in inputs for column, flag in flagged.doubts.items()}

    def answer(node: Expr) -> Expr | None:
        if node.kind != "has_caveat":
            return None
        return replace(node, value=doubt(node.args[0], doubts), handle=None, is_rebuilt=True)

    return with_expressions(step, lambda expr: expr.replace(answer))
