"""Between which values an expression lies, as expressions over the same row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from whence.plan.expr import FALSE, Expr, all_of, call, choose, holds, literal

_WHOLE = ("tinyint", "smallint", "int", "bigint")
_WITHOUT_INFINITY = ("decimal", "date", "timestamp", "string", "boolean")


class NoBounds(Exception):
    """Nothing bounds an expression; the message says why, as a sentence."""


@dataclass(frozen=True)
class Interval:
    """In every world a value is NULL, if it may be `missing`, or not below `low` and not above `high`.

    An end that is NULL is not known, where the value is in doubt. Where it is not, both ends are the value itself.
    """

    low: Expr
    high: Expr
    missing: Expr
    doubt: Expr
    type: str = ""
    """The type of the value, as far as it is known."""
    is_never_missing: bool = False
    """`missing` says where the value is NULL in every world; anywhere else it is NULL in none."""

    @property
    def has_no_low(self) -> Expr:
        """The value could be as low as it likes."""
        return all_of(self.doubt, call("isnull", self.low))

    @property
    def has_no_high(self) -> Expr:
        """The value could be as high as it likes."""
        return all_of(self.doubt, call("isnull", self.high))


Ranges = Mapping[int, Interval]
"""By the id of a column; a column without doubt has none."""

Bind = Callable[[Expr], Interval]
"""Finds the interval of an expression that another one reads."""


def exact(expr: Expr, type_name: str = "") -> Interval:
    """The interval of a value that is not in doubt."""
    missing = FALSE if expr.kind == "literal" and expr.value is not None else call("isnull", expr)
    return Interval(expr, expr, missing, FALSE, type_name, is_never_missing=True)


def when(condition: Expr, value: Expr) -> Expr:
    """The value where the condition holds, else NULL."""
    return call("when", condition, value)


def hull(one: Interval, other: Interval, doubt: Expr) -> Interval:
    """What holds the values of both; `least` and `greatest` skip the NULL of a value that is certainly NULL."""
    low = _unless(one.has_no_low, other.has_no_low, call("least", one.low, other.low))
    high = _unless(one.has_no_high, other.has_no_high, call("greatest", one.high, other.high))
    missing = Expr("or", (holds(one.missing), holds(other.missing)), name="or")
    return Interval(low, high, missing, doubt, one.type if one.type == other.type else "")


def pick(first: Expr, second: Expr, one: Interval, other: Interval, doubt: Expr) -> Interval:
    """The one interval where `first` holds, the other where `second` does, else their hull."""
    both = hull(one, other, doubt)
    return Interval(
        choose(first, one.low, choose(second, other.low, both.low)),
        choose(first, one.high, choose(second, other.high, both.high)),
        choose(first, one.missing, choose(second, other.missing, both.missing)),
        doubt,
        both.type,
    )


def finite(end: Expr, type_name: str) -> Expr:
    """The end of a computed interval; NULL for an infinity or NaN, behind which other values may hide."""
    if type_name in _WHOLE or type_name.startswith(_WITHOUT_INFINITY):
        return end
    return when(call("<", call("abs", end), literal("Infinity", "double")), end)


def is_whole(type_name: str) -> bool:
    """The type holds whole numbers."""
    return type_name in _WHOLE


def _unless(one: Expr, other: Expr, end: Expr) -> Expr:
    is_open = [claim for claim in (one, other) if claim != FALSE]
    for claim in is_open:
        end = choose(claim, when(FALSE, end), end)
    return end
