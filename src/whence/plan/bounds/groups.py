"""Between which values an aggregate of a group lies: each row gives its least and greatest, or nothing if it is absent.

Rows that are there in every world count with their own ends. A row that may be absent, or whose value may be NULL,
counts towards a low end only where it lowers it: min(0, low) in a sum.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from whence.plan.bounds.bound import type_of
from whence.plan.bounds.interval import Interval, when
from whence.plan.bounds.terms import (
    ZERO,
    GroupRows,
    Terms,
    aggregate_possible_rows,
    is_open,
    number_of,
    some,
    unless_open,
)
from whence.plan.bounds.totals import bound_mean, bound_sum
from whence.plan.expr import (
    FALSE,
    TRUE,
    Expr,
    any_of,
    call,
    choose,
    holds,
    literal,
    negate,
)


def bound_constant(function: Expr, rows: GroupRows, doubt: Expr) -> Interval:
    """The interval of a value that is the same, with the same interval, in every row of the group."""
    (arg,) = function.args
    value = rows.bounds.of(arg)
    low, high = aggregate_possible_rows("min", value.low), aggregate_possible_rows("max", value.high)
    is_doubtful, is_missing = some(value.doubt), some(holds(value.missing))
    return Interval(when(is_doubtful, low), when(is_doubtful, high), is_missing, doubt, value.type)


def _count(function: Expr, terms: Terms, doubt: Expr) -> Interval:
    low, high = number_of(terms.surely), number_of(terms.possibly)
    if function.is_distinct:
        low = choose(call(">", low, ZERO), literal(1, "bigint"), ZERO)
    if terms.is_filled:
        low = choose(some(terms.may_be_null), low, call("greatest", low, literal(1, "bigint")))
    return Interval(low, high, FALSE, doubt, "bigint")


def _min(function: Expr, terms: Terms, doubt: Expr) -> Interval:
    low, high = _first_end(terms, "min"), _last_end(terms.turned(), "min", "max")
    return Interval(low, high, negate(some(terms.surely)), doubt, type_of(function.args[0]))


def _max(function: Expr, terms: Terms, doubt: Expr) -> Interval:
    low, high = _last_end(terms, "max", "min"), _first_end(terms.turned(), "max")
    return Interval(low, high, negate(some(terms.surely)), doubt, type_of(function.args[0]))


def _first_end(terms: Terms, extreme: str) -> Expr:
    """The low end of a minimum: any row that may count can give it."""
    return unless_open(aggregate_possible_rows(extreme, when(terms.possibly, terms.end)), is_open(terms))


def _last_end(terms: Terms, extreme: str, other: str) -> Expr:
    """The high end of a minimum: a row that is there everywhere holds it down; without one, it is any row's."""
    held = aggregate_possible_rows(extreme, when(terms.surely, terms.end))
    free = unless_open(aggregate_possible_rows(other, when(terms.possibly, terms.end)), is_open(terms))
    return choose(some(terms.surely), held, free)


def _avg(function: Expr, terms: Terms, doubt: Expr) -> Interval:
    if function.is_distinct:
        return _any_value(function, replace(terms, may_be_null=FALSE), doubt)
    return bound_mean(function, terms, doubt)


def _any_value(function: Expr, terms: Terms, doubt: Expr) -> Interval:
    """The value of some row, whichever it is."""
    low = unless_open(aggregate_possible_rows("min", when(terms.possibly, terms.end)), is_open(terms))
    turned = terms.turned()
    high = unless_open(aggregate_possible_rows("max", when(terms.possibly, turned.end)), is_open(turned))
    missing = any_of(negate(some(terms.surely)), some(terms.may_be_null))
    return Interval(low, high, missing, doubt, type_of(function.args[0]))


def _value_beside_extreme(function: Expr, terms: Terms, doubt: Expr) -> Interval:
    """`max_by` and the like: NULL also where no row has anything to go by."""
    return replace(_any_value(function, terms, doubt), missing=TRUE)


AGGREGATES: dict[str, Callable[[Expr, Terms, Expr], Interval]] = {
    "sum": bound_sum,
    "count": _count,
    "min": _min,
    "max": _max,
    "average": _avg,
    "first": _any_value,
    "last": _any_value,
    "anyvalue": _any_value,
    "mode": _any_value,
    "maxby": _value_beside_extreme,
    "minby": _value_beside_extreme,
    "booland": _min,
    "boolor": _max,
}
