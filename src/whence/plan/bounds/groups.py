"""Between which values an aggregate of a group lies: each row gives its least and greatest, or nothing if it is absent.

Rows that are there in every world count with their own ends. A row that may be absent, or whose value may be NULL,
counts towards a low end only where it lowers it: min(0, low) in a sum.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from whence.plan.bounds.bound import Bounds, type_of
from whence.plan.bounds.extended_mean import extend_mean
from whence.plan.bounds.interval import Interval, finite, is_whole, when
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
_NAUGHT = literal(0, "double")


@dataclass(frozen=True)
class GroupRows:
    """The rows of a group: `is_sure` where one is there in every world; `exists`: no world has an empty group."""

    bounds: Bounds
    is_sure: Expr
    exists: bool


@dataclass(frozen=True)
class Terms:
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

    def turned(self) -> Terms:
        """The same with low and high ends exchanged."""
        return replace(self, value=replace(self.value, low=self.value.high, high=self.value.low))


def bound_constant(function: Expr, rows: GroupRows, doubt: Expr) -> Interval:
    """The interval of a value that is the same, with the same interval, in every row of the group."""
    (arg,) = function.args
    value = rows.bounds.of(arg)
    low, high = aggregate_possible_rows("min", value.low), aggregate_possible_rows("max", value.high)
    is_doubtful, is_missing = some(value.doubt), some(holds(value.missing))
    known = replace(value, low=low, high=high, missing=is_missing, doubt=doubt)
    return replace(known, low=when(is_doubtful, low), high=when(is_doubtful, high))


def find_terms(function: Expr, rows: GroupRows) -> Terms:
    """What the rows give to an aggregate of its first argument."""
    value = rows.bounds.of(function.args[0])
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
    return Terms(value, surely, maybe, may_be_null, rows.exists and function.condition is None)


def _sum(function: Expr, terms: Terms, doubt: Expr) -> Interval:
    kind = type_of(function.args[0])
    missing = negate(some(terms.surely))
    if function.is_distinct:  # a value counts once, however many rows have it: no row is sure to add its own
        terms = replace(terms, surely=FALSE, maybe=terms.possibly)
    turned = terms.turned()
    low, high = _least_sum(terms, "<", "min", kind), _least_sum(turned, ">", "max", kind)
    known = "bigint" if is_whole(kind) else ""
    checked = kind if kind.startswith("decimal") else known
    return Interval(finite(low, checked), finite(high, checked), missing, doubt, known)


def _least_sum(terms: Terms, lowers: str, extreme: str, kind: str) -> Expr:
    """The least sum: what is there in every world, and of the rest all that lowers it.

    If nothing need be there and nothing lowers it, the sum is NULL, or at least the least of what may be there.
    """
    end = terms.value.low
    # Spark makes `try_sum` of operands of one type only; an overflow of `sum` ends the whole computation.
    zero, add_up = (literal(0, kind), "try_sum") if is_whole(kind) else (literal(0, "int"), "sum")
    counts = any_of(terms.surely, all_of(terms.maybe, call(lowers, end, zero)))
    is_some = call(">", aggregate_possible_rows("count", when(counts, end)), _ZERO)
    total = choose(
        is_some,
        aggregate_possible_rows(add_up, when(counts, end)),
        aggregate_possible_rows(extreme, when(terms.maybe, end)),
    )
    return unless_open(total, is_open(terms))


def _count(function: Expr, terms: Terms, doubt: Expr) -> Interval:
    low, high = number_of(terms.surely), number_of(terms.possibly)
    if function.is_distinct:
        low = choose(call(">", low, _ZERO), literal(1, "bigint"), _ZERO)
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
    return unless_open(aggregate_possible_rows(extreme, when(terms.possibly, terms.value.low)), is_open(terms))


def _last_end(terms: Terms, extreme: str, other: str) -> Expr:
    """The high end of a minimum: a row that is there everywhere holds it down; without one, it is any row's."""
    held = aggregate_possible_rows(extreme, when(terms.surely, terms.value.low))
    free = unless_open(aggregate_possible_rows(other, when(terms.possibly, terms.value.low)), is_open(terms))
    return choose(some(terms.surely), held, free)


def _avg(function: Expr, terms: Terms, doubt: Expr) -> Interval:
    """Of the rows that may be absent, those count that lower the mean of the others, from the lowest on."""
    if function.is_distinct:
        return _any_value(function, replace(terms, may_be_null=FALSE), doubt)
    mean = _least_mean_of_decimals if type_of(function.args[0]).startswith("decimal") else _least_mean
    low, high = mean(terms, is_least=True), mean(terms.turned(), is_least=False)
    return Interval(finite(low, ""), finite(high, ""), negate(some(terms.surely)), doubt, "")


def _least_mean(terms: Terms, *, is_least: bool) -> Expr:
    end = call("double", terms.value.low)
    total = call("coalesce", aggregate_possible_rows("sum", when(terms.surely, end)), _NAUGHT)
    count = number_of(terms.surely)
    if terms.maybe == FALSE:
        return unless_open(call("try_divide", total, count), is_open(terms))
    others = call(
        "sort_array", aggregate_possible_rows("collect_list", when(terms.maybe, end)), literal(is_least, "boolean")
    )
    return unless_open(extend_mean(total, count, others, is_least=is_least), is_open(terms))


def _least_mean_of_decimals(terms: Terms, *, is_least: bool) -> Expr:
    """Among the mean of what is there everywhere and whatever may come, no mean lies beyond all of them."""
    extreme, function = ("least", "min") if is_least else ("greatest", "max")
    end = terms.value.low
    sure = aggregate_possible_rows("try_avg", when(terms.surely, end))
    others = aggregate_possible_rows(function, when(terms.maybe, end))
    overflows = all_of(some(terms.surely), call("isnull", sure))
    return unless_open(call(extreme, sure, others), any_of(is_open(terms), overflows))


def _any_value(function: Expr, terms: Terms, doubt: Expr) -> Interval:
    """The value of some row, whichever it is."""
    low = unless_open(aggregate_possible_rows("min", when(terms.possibly, terms.value.low)), is_open(terms))
    turned = terms.turned()
    high = unless_open(aggregate_possible_rows("max", when(terms.possibly, turned.value.low)), is_open(turned))
    missing = any_of(negate(some(terms.surely)), some(terms.may_be_null))
    return Interval(low, high, missing, doubt, type_of(function.args[0]))


def _value_beside_extreme(function: Expr, terms: Terms, doubt: Expr) -> Interval:
    """`max_by` and the like: NULL also where no row has anything to go by."""
    return replace(_any_value(function, terms, doubt), missing=TRUE)


AGGREGATES: dict[str, Callable[[Expr, Terms, Expr], Interval]] = {
    "sum": _sum,
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


def aggregate_possible_rows(name: str, *args: Expr) -> Expr:
    """An aggregate over every row of the group that may be there."""
    return Expr("aggregate", args, name=name, value=POSSIBLE_ROWS)


def some(claim: Expr) -> Expr:
    """Some row of the group that may be there is so."""
    if claim in (TRUE, FALSE):
        return claim if claim == FALSE else call(">", aggregate_possible_rows("count", literal(1, "int")), _ZERO)
    return holds(aggregate_possible_rows("max", claim))


def number_of(claim: Expr) -> Expr:
    """How many rows of the group that may be there are so."""
    return aggregate_possible_rows("count", when(claim, literal(1, "int")))


def is_open(terms: Terms) -> Expr:
    """Some row that may count has no known end on this side."""
    return some(all_of(terms.possibly, terms.value.has_no_low))


def unless_open(end: Expr, is_unknown: Expr) -> Expr:
    """The end, where it is not unknown."""
    return choose(is_unknown, when(FALSE, end), end)
