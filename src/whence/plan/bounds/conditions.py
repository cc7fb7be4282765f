"""What intervals settle about a condition: that it holds in every world, or in none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce

from whence.plan.bounds.interval import Bind, Interval, NoBounds
from whence.plan.common_expressions import without_common_expression
from whence.plan.expr import FALSE, TRUE, Expr, all_of, any_of, call, choose, holds, negate

DoubtOf = Callable[[Expr], Expr]

_TURNED = {
    "lessthan": ("lessthan", False),
    "greaterthan": ("lessthan", True),
    "lessthanorequal": ("lessthanorequal", False),
    "greaterthanorequal": ("lessthanorequal", True),
}
"""Each comparison as one that looks up, and whether its operands change sides."""


CONDITIONS = frozenset({*_TURNED, "equalto", "equalnullsafe", "in", "isnull", "isnotnull"})
"""The functions that give a truth value."""


@dataclass(frozen=True)
class Verdict:
    """What a condition is in every world: TRUE, FALSE, never TRUE, never FALSE."""

    is_true: Expr
    is_false: Expr
    is_never_true: Expr
    is_never_false: Expr


_NOTHING = Verdict(FALSE, FALSE, FALSE, FALSE)


def settle(condition: Expr, doubt_of: DoubtOf, bind: Bind) -> Verdict:
    """The verdict, as claims over the row."""
    if not condition.repeats:
        return _NOTHING
    condition = without_common_expression(condition)
    if condition.kind == "not":
        inner = settle(condition.args[0], doubt_of, bind)
        return Verdict(inner.is_false, inner.is_true, inner.is_never_false, inner.is_never_true)
    if condition.kind in ("and", "or"):
        one, other = (settle(arg, doubt_of, bind) for arg in condition.args)
        return _and(one, other) if condition.kind == "and" else _or(one, other)
    is_certain = negate(doubt_of(condition))
    plain = _as_it_stands(condition, is_certain)
    return plain if is_certain == TRUE else _either(plain, _compare(condition, bind))


def _as_it_stands(condition: Expr, is_certain: Expr) -> Verdict:
    is_true = holds(condition)
    is_false = holds(Expr("not", (condition,), name="not"))
    return Verdict(
        all_of(is_certain, is_true),
        all_of(is_certain, is_false),
        all_of(is_certain, negate(is_true)),
        all_of(is_certain, negate(is_false)),
    )


def truth(verdict: Verdict, doubt: Expr) -> Interval:
    """The interval of a condition as a value, where FALSE lies below TRUE."""
    low = choose(verdict.is_never_false, TRUE, FALSE)
    high = choose(verdict.is_never_true, FALSE, TRUE)
    return Interval(low, high, negate(any_of(verdict.is_true, verdict.is_false)), doubt, "boolean")


def _compare(condition: Expr, bind: Bind) -> Verdict:
    if condition.name in ("isnull", "isnotnull"):
        return _ask_null(condition, bind)
    if condition.name == "in":
        value, *others = condition.args
        each = [_compare(Expr("call", (value, other), name="equalto"), bind) for other in others]
        return reduce(_or, each)
    if condition.name not in (*_TURNED, "equalto"):
        return _NOTHING
    try:
        one, other = (bind(arg) for arg in condition.args)
    except NoBounds:
        return _NOTHING
    there = all_of(negate(holds(one.missing)), negate(holds(other.missing)))
    if condition.name == "equalto":
        apart = any_of(_is_below(one, other), _is_below(other, one))
        return Verdict(FALSE, all_of(there, apart), apart, FALSE)
    name, is_turned = _TURNED[condition.name]
    one, other = (other, one) if is_turned else (one, other)
    if name == "lessthan":
        up, down = _is_below(one, other), _is_at_most(other, one)
    else:
        up, down = _is_at_most(one, other), _is_below(other, one)
    return Verdict(all_of(there, up), all_of(there, down), down, up)


def _ask_null(condition: Expr, bind: Bind) -> Verdict:
    """What is surely there is not NULL, and what is certain is as it is."""
    try:
        value = bind(condition.args[0])
    except NoBounds:
        return _NOTHING
    is_there = negate(holds(value.missing))
    if condition.name == "isnotnull":
        return Verdict(is_there, FALSE, FALSE, is_there)
    return Verdict(FALSE, is_there, is_there, FALSE)


def _is_below(one: Interval, other: Interval) -> Expr:
    return holds(call("<", one.high, other.low))


def _is_at_most(one: Interval, other: Interval) -> Expr:
    return holds(call("<=", one.high, other.low))


def _and(one: Verdict, other: Verdict) -> Verdict:
    return Verdict(
        all_of(one.is_true, other.is_true),
        any_of(one.is_false, other.is_false),
        any_of(one.is_never_true, other.is_never_true),
        all_of(one.is_never_false, other.is_never_false),
    )


def _or(one: Verdict, other: Verdict) -> Verdict:
    return Verdict(
        any_of(one.is_true, other.is_true),
        all_of(one.is_false, other.is_false),
        all_of(one.is_never_true, other.is_never_true),
        any_of(one.is_never_false, other.is_never_false),
    )


def _either(one: Verdict, other: Verdict) -> Verdict:
    return Verdict(
        any_of(one.is_true, other.is_true),
        any_of(one.is_false, other.is_false),
        any_of(one.is_never_true, other.is_never_true),
        any_of(one.is_never_false, other.is_never_false),
    )
