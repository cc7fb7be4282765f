"""Replaces questions such as `has_caveat(value)` and `bound_low(value)` by their answers, once the plan carries flags.

The answer tells how the data stands, so it is never in doubt itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from whence.plan.bounds.bound import Bounds
from whence.plan.bounds.interval import NoBounds, when
from whence.plan.doubt import doubt
from whence.plan.expr import BOUND_ENDS, FALSE, Expr, any_of, choose, negate
from whence.plan.expressions import expressions, with_expressions
from whence.plan.higher_order import is_lambda, reads_variables
from whence.plan.step import FlaggedStep, Step


def resolve_caveat_questions(
    step: Step, inputs: tuple[FlaggedStep, ...], bounds: Callable[[], Bounds] | None = None
) -> Step:
    """Return the step with each question in it replaced by what answers it.

    `bounds` gives what finds the ranges of its input; without it, the bounds of what is in doubt are unknown.
    """
    if not any(node.kind == "question" for expr in expressions(step) for node in expr.walk()):
        return step
    doubts = {column: flag for flagged in inputs for column, flag in flagged.doubts.items()}
    answers = _Answers(Bounds(doubts, {}, {}) if bounds is None else bounds(), FALSE)
    return with_expressions(step, lambda expr: expr.replace(answers.answer))


def asks_for_bounds(plan: Step) -> bool:
    """Whether some expression of the plan asks for the ends of a range."""
    return any(
        node.kind == "question" and node.name in BOUND_ENDS
        for step in plan.walk()
        for expr in expressions(step)
        for node in expr.walk()
    )


@dataclass(frozen=True)
class _Answers:
    """Answers questions; `of_elements` is the doubt of what variables of lambdas stand for."""

    bounds: Bounds
    of_elements: Expr

    def answer(self, node: Expr) -> Expr | None:
        """The answer for a question; the change of anything else, None if that is up to its parts."""
        if node.kind == "question":
            (value,) = node.args
            found = self._end(node.name, value) if node.name in BOUND_ENDS else self._doubt(value)
            return replace(node, value=found, is_rebuilt=True)
        if not any(map(is_lambda, node.args)):
            return None
        arguments = (self.bounds.doubt_of(arg) for arg in node.args if not is_lambda(arg))
        inside = _Answers(replace(self.bounds, ranges={}), any_of(self.of_elements, *arguments))
        args = tuple(arg.replace(inside.answer if is_lambda(arg) else self.answer) for arg in node.args)
        return node if args == node.args else replace(node, args=args, is_rebuilt=True)

    def _doubt(self, value: Expr) -> Expr:
        of_elements = self.of_elements if reads_variables(value) else FALSE
        return any_of(doubt(value, self.bounds.doubts), of_elements)

    def _end(self, name: str, value: Expr) -> Expr:
        """The value where it is certain, and the end where it is not; NULL where that is not known."""
        in_doubt = self._doubt(value)
        if in_doubt == FALSE:
            return value
        if not reads_variables(value):
            try:
                found = self.bounds.of(value)
                return choose(in_doubt, found.low if name == "bound_low" else found.high, value)
            except NoBounds:
                pass
        return when(negate(in_doubt), value)
