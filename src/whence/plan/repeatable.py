"""Whether expressions and plans give the same result when they are evaluated again."""

from __future__ import annotations

from whence.plan.expr import Expr
from whence.plan.expressions import expressions
from whence.plan.step import Step

# Spark calls them deterministic, because within one query they are.
_CLOCKS = frozenset(
    {"currenttimestamp", "currentdate", "currenttime", "now", "localtimestamp", "currentbatchtimestamp"}
)


def repeats(expr: Expr) -> bool:
    """Whether nothing in an expression is random, reads a clock or runs a Python function."""
    return expr.repeats and not any(node.kind == "call" and node.name in _CLOCKS for node in expr.walk())


def always_gives_the_same(step: Step) -> bool:
    """Whether this step, with all steps below it, gives the same rows each time it runs."""
    return all(each.repeatable == "always" and all(map(repeats, expressions(each))) for each in step.walk())


def can_stand_for_another_run(plan: Step) -> bool:
    """Whether an earlier result is a possible result of another run: a LIMIT may choose other rows, but need not."""
    return all(each.repeatable != "never" and all(map(repeats, expressions(each))) for each in plan.walk())
