"""Between which values an aggregate of a group lies: each row gives its least and greatest, or nothing if it is absent.

Rows that are there in every world count with their own ends. A row that may be absent, or whose value may be NULL,
counts towards a low end only where it lowers it: min(0, low) in a sum.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from whence.plan.bounds.bound import Bounds, type_of
from whence.plan.bounds.interval import Interval, NoBounds, finite, is_whole, when
from whence.plan.expr import (
    FALSE,
    POSSIBLE_ROWS,
    TRUE,
    Expr,
    all_of,
    any_of,
    call,
    choose,
    holds,
    literal,
    negate,
)

_ZERO = literal(0, "bigint")


@dataclass(frozen=True)
class GroupRows:
    """The rows of a group: `is_sure` where one is there in every world; `exists`: no world has an empty group."""

    bounds: Bounds
    is_sure: Expr
    exists: bool


@dataclass(frozen=True)
class _Terms:
    """What the rows of a group give to one aggregate: their interval, and for which rows it counts."""

    value: Interval
    surely: Expr
    """The row counts in every world."""
    maybe: Expr
    """It counts in some worlds only."""
    may_be_null: Expr
    is_filled: bool
    """Some row of the group is there in every world, though none need be so alone."""

    @property
    def possibly(self) -> Expr:
        return any_of(self.surely, self.maybe)

    def turned(self) -> _Terms:
        """The same with low and high ends exchanged."""
        return replace(self, value=replace(self.value, low=self.value.high, high=self.value.low))


def bound_aggregate(function: Expr, rows: GroupRows, doubt: Expr) -> Interval:
    """The interval of an aggregate; raises NoBounds if it has none."""
    rule = _RULES.get(function.name)
    if rule is None or len(function.args) != 1:
        raise NoBounds(f"No rule bounds the aggregate {function.name}.")
    if function.is_distinct and function.name not in ("min", "max", "count"):
        raise NoBounds(f"No rule bounds {function.name} of distinct values.")
    return rule(function, _terms(function, rows), doubt)


def _terms(function: Expr, rows: GroupRows) -> _Terms:
    (arg,) = function.args
    value = rows.bounds.of(arg)
    passes = never = FALSE
    if function.condition is None:
        passes = TRUE
    else:
        verdict = rows.bounds.settle(function.condition)
        passes, never = verdict.is_true, verdict.is_never_true
    is_null = all_of(negate(value.doubt), holds(value.missing))
    may_be_null = holds(value.missing)
    surely = all_of(rows.is_sure, passes, negate(may_be_null))
    maybe = all_of(negate(never), negate(is_null), negate(surely))
    return _Terms(value, surely, maybe, may_be_null, rows.exists and function.condition is None)


def _sum(function: Expr, terms: _Terms, doubt: Expr) -> Interval:
    kind = type_of(function.args[0])
    turned = terms.turned()
    low, high = _least_sum(terms, "<", "min", kind), _least_sum(turned, ">", "max", kind)
    known = "bigint" if is_whole(kind) else ""
    checked = kind if kind.startswith("decimal") else known
    return Interval(finite(low, checked), finite(high, checked), negate(_any(terms.surely)), doubt, known)


def _least_sum(terms: _Terms, lowers: str, extreme: str, kind: str) -> Expr:
    """The least sum: what is there in every world, and of the rest all that lowers it.

    If nothing need be there and nothing lowers it, the sum is NULL, or at least the least of what may be there.
    """
    end = terms.value.low
    # Spark makes `try_sum` of operands of one type only; an overflow of `sum` ends the whole computation.
    zero, add_up = (literal(0, kind), "try_sum") if is_whole(kind) else (literal(0, "int"), "sum")
    counts = any_of(terms.surely, all_of(terms.maybe, call(lowers, end, zero)))
    is_some = call(">", _aggregate_possible_rows("count", when(counts, end)), _ZERO)
    total = choose(
        is_some,
        _aggregate_possible_rows(add_up, when(counts, end)),
        _aggregate_possible_rows(extreme, when(terms.maybe, end)),
    )
    return _unless_open(total, _is_open(terms))


def _count(function: Expr, terms: _Terms, doubt: Expr) -> Interval:
    low, high = _number_of(terms.surely), _number_of(terms.possibly)
    if function.is_distinct:
        low = choose(call(">", low, _ZERO), literal(1, "bigint"), _ZERO)
    if terms.is_filled:
        low = choose(_any(terms.may_be_null), low, call("greatest", low, literal(1, "bigint")))
    return Interval(low, high, FALSE, doubt, "bigint")


def _min(function: Expr, terms: _Terms, doubt: Expr) -> Interval:
    low, high = _first_end(terms, "min"), _last_end(terms.turned(), "min", "max")
    return Interval(low, high, negate(_any(terms.surely)), doubt, type_of(function.args[0]))


def _max(function: Expr, terms: _Terms, doubt: Expr) -> Interval:
    low, high = _last_end(terms, "max", "min"), _first_end(terms.turned(), "max")
    return Interval(low, high, negate(_any(terms.surely)), doubt, type_of(function.args[0]))


def _first_end(terms: _Terms, extreme: str) -> Expr:
    """The low end of a minimum: any row that may count can give it."""
    return _unless_open(_aggregate_possible_rows(extreme, when(terms.possibly, terms.value.low)), _is_open(terms))


def _last_end(terms: _Terms, extreme: str, other: str) -> Expr:
    """The high end of a minimum: a row that is there everywhere holds it down; without one, it is any row's."""
    held = _aggregate_possible_rows(extreme, when(terms.surely, terms.value.low))
    free = _unless_open(_aggregate_possible_rows(other, when(terms.possibly, terms.value.low)), _is_open(terms))
    return choose(_any(terms.surely), held, free)


def _avg(function: Expr, terms: _Terms, doubt: Expr) -> Interval:
    """Among the mean of what is there everywhere and whatever may come, no mean lies beyond all of them."""
    low, high = _least_mean(terms, "least", "min"), _least_mean(terms.turned(), "greatest", "max")
    return Interval(finite(low, ""), finite(high, ""), negate(_any(terms.surely)), doubt, "")


def _least_mean(terms: _Terms, extreme: str, function: str) -> Expr:
    end = terms.value.low
    sure = _aggregate_possible_rows("try_avg", when(terms.surely, end))
    others = _aggregate_possible_rows(function, when(terms.maybe, end))
    overflows = all_of(_any(terms.surely), call("isnull", sure))
    return _unless_open(call(extreme, sure, others), any_of(_is_open(terms), overflows))


_RULES: dict[str, Callable[[Expr, _Terms, Expr], Interval]] = {
    "sum": _sum,
    "count": _count,
    "min": _min,
    "max": _max,
    "average": _avg,
}


def _aggregate_possible_rows(name: str, arg: Expr) -> Expr:
    """An aggregate over every row of the group that may be there."""
    return Expr("aggregate", (arg,), name=name, value=POSSIBLE_ROWS)


def _any(claim: Expr) -> Expr:
    if claim in (TRUE, FALSE):
        return claim if claim == FALSE else call(">", _aggregate_possible_rows("count", literal(1, "int")), _ZERO)
    return holds(_aggregate_possible_rows("max", claim))


def _number_of(claim: Expr) -> Expr:
    return _aggregate_possible_rows("count", when(claim, literal(1, "int")))


def _is_open(terms: _Terms) -> Expr:
    """Some row that may count has no known end on this side."""
    return _any(all_of(terms.possibly, terms.value.has_no_low))


def _unless_open(end: Expr, is_open: Expr) -> Expr:
    return choose(is_open, when(FALSE, end), end)
