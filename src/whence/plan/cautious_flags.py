"""Doubt flags for queries that fail on rows they never reach: `select 10 / x from t where x <> 0` with a doubtful zero.

The usual rules evaluate expressions on ghosts, rows that a filter removed but might not have. A division by zero, a
cast or a user's function can raise an error there that the query itself never meets. Here no ghost goes further than
the step that makes it, and no part of a condition is asked on its own. More is flagged than with the usual rules, never
less.
"""

from __future__ import annotations

from dataclasses import replace

from whence.plan.caveat_questions import resolve_caveat_questions
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.expr import Expr, ref
from whence.plan.expressions import with_expressions
from whence.plan.rebuild import rebuild
from whence.plan.step import FlaggedStep, Step
from whence.plan.steps.project import Project
from whence.plan.steps.real_rows import real_rows

_ASKED_IN_PARTS = frozenset({"and", "or", "not", "if", "case", "coalesce", "call"})


def with_cautious_flags(plan: Step, ids: ColumnIdAllocator) -> FlaggedStep:
    """The plan, carrying flags, with every expression evaluated on the rows on which the query evaluates it."""
    return _with_flags(rebuild(plan, lambda step: with_expressions(step, _as_a_whole)), ids)


def _with_flags(plan: Step, ids: ColumnIdAllocator) -> FlaggedStep:
    inputs = tuple(_without_ghosts(_with_flags(step, ids)) for step in plan.inputs)
    return resolve_caveat_questions(plan, inputs).with_flags(inputs, ids)


def _without_ghosts(flagged: FlaggedStep) -> FlaggedStep:
    """Drop ghosts from a flagged step; `is_loose` records that some absent row might belong."""
    if flagged.present is None:
        return flagged
    flags = (ref(flag) for flag in flagged.step.columns if flag in flagged.flags - {flagged.present})
    return replace(
        flagged, step=Project(real_rows(flagged), (*flagged.data_columns, *flags)), present=None, is_loose=True
    )


def _as_a_whole(expr: Expr) -> Expr:
    """Return the expression as not repeatable, so that rules flag it as a whole and evaluate no part of it again."""
    args = tuple(map(_as_a_whole, expr.args))
    condition = None if expr.condition is None else _as_a_whole(expr.condition)
    is_deterministic = expr.is_deterministic and expr.kind not in _ASKED_IN_PARTS
    return replace(expr, args=args, condition=condition, is_deterministic=is_deterministic)
