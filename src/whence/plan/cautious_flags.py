"""Doubt flags for queries that fail on rows they never reach: `select 10 / x from t where x <> 0` with a doubtful zero.

The usual rules evaluate expressions on ghosts, rows that a filter removed but might not have. A division by zero, a
cast or a user's function can raise an error there that the query itself never meets. Here no ghost goes further than
the step that makes it, and no part of a condition is asked on its own. More is flagged than with the usual rules, never
less.
"""

from __future__ import annotations

from dataclasses import replace

from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.expr import Expr
from whence.plan.expressions import with_expressions
from whence.plan.rebuild import rebuild
from whence.plan.step import FlaggedStep, Step
from whence.plan.steps.real_rows import with_real_rows_only

_ASKED_IN_PARTS = frozenset({"and", "or", "not", "if", "case", "coalesce", "call"})


def with_cautious_flags(plan: Step, ids: ColumnIdAllocator) -> FlaggedStep:
    """The plan, carrying flags, with every expression evaluated on the rows on which the query evaluates it."""
    return with_real_rows_only(rebuild(plan, lambda step: with_expressions(step, _as_a_whole)), ids)


def _as_a_whole(expr: Expr) -> Expr:
    """Return the expression as not repeatable, so that rules flag it as a whole and evaluate no part of it again."""
    args = tuple(map(_as_a_whole, expr.args))
    condition = None if expr.condition is None else _as_a_whole(expr.condition)
    is_deterministic = expr.is_deterministic and expr.kind not in _ASKED_IN_PARTS
    return replace(expr, args=args, condition=condition, is_deterministic=is_deterministic)
