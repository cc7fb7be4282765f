"""Whether expressions and plans give the same when they are asked again."""

from __future__ import annotations

from whence.plan.expr import Expr
from whence.plan.expressions import expressions
from whence.plan.step import Step

# Spark calls them deterministic, because within one query they are.
_CLOCKS = frozenset(
    {"currenttimestamp", "currentdate", "currenttime", "now", "localtimestamp", "currentbatchtimestamp"}
)


def repeats(expr: Expr) -> bool:
    """Nothing in it draws lots, reads a clock or runs a Python function."""
    return expr.repeats and not any(node.kind == "call" and node.name in _CLOCKS for node in expr.walk())


def always_gives_the_same(step: Step) -> bool:
    """Each time it runs, this step and what is below it give the same rows."""
    return all(each.repeatable == "always" and all(map(repeats, expressions(each))) for each in step.walk())


def can_stand_for_another_run(plan: Step) -> bool:
    """What it gave once is what it could give again: a limit may choose other rows next time, but need not."""
    return all(each.repeatable != "never" and all(map(repeats, expressions(each))) for each in plan.walk())
