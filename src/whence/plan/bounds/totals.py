"""Between which values sums and means of a group lie.

Where numbers are exact, an end is the sum that is shown, and what the rows that may give something else take from it
or add to it. So rows without doubt are added up once. Floating-point numbers are added up anew for each end: a
difference of large numbers would lose the digits of small ones.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from whence.plan.bounds.bound import type_of
from whence.plan.bounds.extended_mean import extend_mean
from whence.plan.bounds.interval import Interval, finite, is_whole, when
from whence.plan.bounds.terms import (
    Terms,
    aggregate_possible_rows,
    is_open,
    number_of,
    some,
    unless_open,
)
from whence.plan.decimal_types import decimal_digits
from whence.plan.expr import FALSE, Expr, aggregate, all_of, any_of, call, choose, holds, literal, negate, try_cast

_NAUGHT = literal(0, "double")
_MOST_DIGITS, _KEPT_DIGITS = 26, 6
"""A sum of decimals of so many digits, or with so few behind the point, loses none when another is added."""
_MOST_DIVIDED, _FEWEST_DIVIDED = 22, 2
"""How many digits a decimal may have, and has to have behind the point, for a mean as in `_mean_of_sure_decimals`."""
_SHORT = ("tinyint", "smallint", "int")
"""Whole numbers of which no group has enough rows for their sum to overflow."""


@dataclass(frozen=True)
class _Direction:
    """The names of functions that look for the least, or for the greatest."""

    extreme: str
    nearest: str
    above_zero: str
    """How a value that does not lower a sum compares with zero; for the greatest, one that does not raise it."""

    @property
    def is_least(self) -> bool:
        return self.extreme == "min"


_LOW, _HIGH = _Direction("min", "least", ">="), _Direction("max", "greatest", "<=")


def bound_sum(function: Expr, terms: Terms, doubt: Expr) -> Interval:
    """The interval of `sum(x)`."""
    kind = type_of(function.args[0])
    missing = negate(some(terms.surely))
    if function.is_distinct:  # a value counts once, however many rows have it: no row is sure to add its own
        terms = replace(terms, surely=FALSE, maybe=terms.possibly)
    total = _Total(function, terms, _LOW, kind)
    low, high = total.with_maybe_rows(), total.turned().with_maybe_rows()
    known = "bigint" if is_whole(kind) else ""
    checked = kind if kind.startswith("decimal") else known
    return Interval(finite(low, checked), finite(high, checked), missing, doubt, known)


def bound_mean(function: Expr, terms: Terms, doubt: Expr) -> Interval:
    """The interval of `avg(x)`: rows that may be absent count where they lower the mean of others, from the lowest."""
    kind = type_of(function.args[0])
    total = _Total(function, terms, _LOW, kind)
    mean = _least_mean_of_decimals if kind.startswith("decimal") else _least_mean
    low, high = mean(total), mean(total.turned())
    checked = "decimal" if kind.startswith("decimal") else ""
    return Interval(finite(low, checked), finite(high, checked), negate(some(terms.surely)), doubt, "")


@dataclass(frozen=True)
class _End:
    """An end of a sum, and where it is not known."""

    total: Expr
    is_unknown: Expr


@dataclass(frozen=True)
class _Total:
    """The least sum of what the rows of a group give, or the greatest."""

    function: Expr
    terms: Terms
    side: _Direction
    kind: str

    def turned(self) -> _Total:
        """The same of the other side."""
        return replace(self, terms=self.terms.turned(), side=_HIGH)

    def with_maybe_rows(self) -> Expr:
        """The least sum: what is there in every world, and of the rest all that lowers it.

        If nothing need be there and nothing lowers it, the sum is NULL, or at least the least of what may be there.
        """
        terms, end = self.terms, self.terms.end_of_row
        is_idle = holds(call(self.side.above_zero, end, self._zero))
        lowers = terms.name(all_of(terms.maybe, negate(is_idle)))
        if self.is_corrected:
            found = self._corrected(choose(terms.surely, end, choose(is_idle, self._zero, end)))
        else:
            found = _End(self._added_up(terms.name(any_of(terms.surely, lowers))), is_open(terms))
        is_some = any_of(some(terms.surely), some(lowers))
        if terms.maybe == FALSE:
            return unless_open(when(is_some, found.total), found.is_unknown)
        alone = aggregate_possible_rows(self.side.extreme, when(terms.maybe, terms.end))
        return unless_open(choose(is_some, found.total, alone), found.is_unknown)

    def of_sure_rows(self) -> _End:
        """The least sum of the rows that are there in every world; not known where the end of any row is not."""
        terms = self.terms
        if not self.is_corrected:
            return _End(self._added_up(terms.surely), is_open(terms))
        found = self._corrected(choose(terms.surely, terms.end_of_row, self._zero))
        return found if terms.maybe == FALSE else replace(found, is_unknown=any_of(found.is_unknown, is_open(terms)))

    @property
    def is_corrected(self) -> bool:
        """What is shown may be corrected: neither the sum nor the corrections are rounded, and none overflows."""
        if self.function.is_distinct or not self.terms.rows.has_shown_value:
            return False
        digits = decimal_digits(self.kind)
        return self.kind in _SHORT or (digits is not None and (digits[0] <= _MOST_DIGITS or digits[1] <= _KEPT_DIGITS))

    @property
    def _zero(self) -> Expr:
        return literal(0, self.kind if is_whole(self.kind) or self.kind.startswith("decimal") else "int")

    def _added_up(self, counts: Expr) -> Expr:
        # Spark makes `try_sum` of operands of one type only; an overflow of `sum` ends the whole computation.
        return aggregate_possible_rows("try_sum" if is_whole(self.kind) else "sum", when(counts, self.terms.end))

    def _corrected(self, given: Expr) -> _End:
        """The sum that is shown, and how far the rows move it that may give something else."""
        terms = self.terms
        moves = terms.name(all_of(terms.varies, terms.possibly))
        now = choose(terms.is_counted, terms.shown, self._zero)
        if terms.maybe == FALSE:  # a row that counts in every world counts now
            given, now = terms.end_of_row, terms.shown
        both = (call("bigint", each) if is_whole(self.kind) else each for each in (given, now))
        moved = terms.name(when(moves, call("-", *both)))
        shown = aggregate("sum", *self.function.args, only=self.function.condition)
        parts = (shown, aggregate_possible_rows("sum", moved, only=moves))
        total = call("+", *(call("coalesce", each, self._zero) for each in parts))
        return _End(total, some(terms.name(all_of(moves, call("isnull", moved)))))


def _least_mean(total: _Total) -> Expr:
    terms = total.terms
    if total.is_corrected:
        found = total.of_sure_rows()
        sure, is_unknown = call("double", found.total), found.is_unknown
    else:
        sure = aggregate_possible_rows("sum", when(terms.surely, call("double", terms.end)))
        is_unknown = is_open(terms)
    sure, count = call("coalesce", sure, _NAUGHT), number_of(terms.surely)
    if terms.maybe == FALSE:
        return unless_open(call("try_divide", sure, count), is_unknown)
    maybe = aggregate_possible_rows("collect_list", when(terms.maybe, call("double", terms.end)))
    others = call("sort_array", maybe, literal(total.side.is_least, "boolean"))
    return unless_open(extend_mean(sure, count, others, is_least=total.side.is_least), is_unknown)


def _least_mean_of_decimals(total: _Total) -> Expr:
    """Among the mean of what is there everywhere and whatever may come, no mean lies beyond all of them."""
    terms, sure = total.terms, _mean_of_sure_decimals(total)
    if terms.maybe == FALSE:
        return unless_open(sure.total, sure.is_unknown)
    others = aggregate_possible_rows(total.side.extreme, when(terms.maybe, terms.end))
    overflows = all_of(some(terms.surely), call("isnull", sure.total))
    return unless_open(call(total.side.nearest, sure.total, others), any_of(sure.is_unknown, overflows))


def _mean_of_sure_decimals(total: _Total) -> _End:
    """A quotient has as many digits as `avg` gives, and is rounded once as there, if the sum has 34 digits."""
    terms, digits = total.terms, decimal_digits(total.kind)
    if digits is None or not total.is_corrected or not (digits[0] <= _MOST_DIVIDED and digits[1] >= _FEWEST_DIVIDED):
        return _End(aggregate_possible_rows("try_avg", when(terms.surely, terms.end)), is_open(terms))
    found = total.of_sure_rows()
    exact = try_cast(found.total, f"decimal(34,{digits[1]})")
    return replace(found, total=call("try_divide", exact, number_of(terms.surely)))
