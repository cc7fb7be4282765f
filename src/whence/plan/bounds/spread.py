"""Between which values a median, a quantile or a standard deviation of a group lies.

Where no row may come or go, a quantile rises with each value, so those of all low and of all high ends bound it. A
standard deviation is a distance: moving each value by at most r moves it by at most the length of all r together. It
is also at most half the width of what the values span (Popoviciu). Where rows may come or go, only the span counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from whence.plan.bounds.interval import Interval, NoBounds, finite, when
from whence.plan.bounds.terms import (
    GroupRows,
    Terms,
    aggregate_possible_rows,
    find_terms,
    is_open,
    number_of,
    some,
    unless_open,
)
from whence.plan.expr import Expr, all_of, call, choose, holds, literal, negate

_SLACK = literal(1e-10, "double")
"""How much wider than computed a bound is, relative to the values: sums of squares are rounded."""

_NAUGHT = literal(0, "double")
_LARGE = literal(1e150, "double")


def bound_quantile(function: Expr, rows: GroupRows, doubt: Expr) -> Interval:
    """The interval of `median(x)` or `percentile(x, p)`."""
    if not _is_plain_quantile(function) or function.is_distinct:
        raise NoBounds(f"Only a quantile at one constant place has bounds, not this {function.name}.")
    terms = find_terms(function, rows)
    varies = some(terms.maybe)
    low, high = _quantile(function, terms, "min", varies), _quantile(function, terms.turned(), "max", varies)
    return Interval(finite(low, ""), finite(high, ""), negate(some(terms.surely)), doubt)


def _quantile(function: Expr, terms: Terms, extreme: str, varies: Expr) -> Expr:
    end = terms.end
    name = "percentile" if function.name == "percentile" else "median"
    fixed = aggregate_possible_rows(name, when(terms.surely, end), *function.args[1:2])
    free = aggregate_possible_rows(extreme, when(terms.possibly, end))
    return unless_open(choose(varies, call("double", free), call("double", fixed)), is_open(terms))


def _is_plain_quantile(function: Expr) -> bool:
    if function.name == "median":
        return len(function.args) == 1
    place, *frequency = function.args[1:]
    return _is_number(place) and all(each.kind == "literal" and each.value == 1 for each in frequency)


@dataclass(frozen=True)
class _Spread:
    """How far the values of a group may lie apart, as a standard deviation."""

    terms: Terms
    is_sample: bool
    """The sum of squares is divided by one less than the number of values."""

    def high(self) -> Expr:
        """The greatest standard deviation; NULL if not known."""
        bottom = aggregate_possible_rows("min", when(self.terms.possibly, self._ends[0]))
        top = aggregate_possible_rows("max", when(self.terms.possibly, self._ends[1]))
        cap = call("/", call("-", top, bottom), literal(2**0.5 if self.is_sample else 2, "double"))
        moved = call("+", self._of_middles, self._shift)
        # `least` skips NULL: what moved within what stays says nothing where rows may come or go.
        reached = call("least", cap, when(negate(self._varies), moved))
        return when(self._is_known, call("+", reached, self._slack))

    def low(self) -> Expr:
        """The least."""
        stays = call("-", call("-", self._of_middles, self._shift), self._slack)
        return call("greatest", when(all_of(negate(self._varies), self._is_known), stays), _NAUGHT)

    @property
    def _varies(self) -> Expr:
        return some(self.terms.maybe)

    @property
    def _ends(self) -> tuple[Expr, Expr]:
        return call("double", self.terms.end), call("double", self.terms.turned().end)

    @property
    def _size(self) -> Expr:
        """The greatest magnitude among the ends."""
        return aggregate_possible_rows("max", when(self.terms.possibly, call("greatest", *map(_magnitude, self._ends))))

    @property
    def _is_known(self) -> Expr:
        """Every end is known, and squares of what lies between do not overflow."""
        is_small = holds(call("<", self._size, _LARGE))
        return all_of(is_small, negate(is_open(self.terms)), negate(is_open(self.terms.turned())))

    @property
    def _of_middles(self) -> Expr:
        low, high = self._ends
        middle = call("+", call("/", low, literal(2, "double")), call("/", high, literal(2, "double")))
        name = "stddev_samp" if self.is_sample else "stddev_pop"
        return call("coalesce", aggregate_possible_rows(name, when(self.terms.surely, middle)), _NAUGHT)

    @property
    def _shift(self) -> Expr:
        """The length of all half widths together, on the scale of the standard deviation."""
        low, high = self._ends
        half = call("/", call("-", high, low), literal(2, "double"))
        squares = aggregate_possible_rows("sum", when(self.terms.surely, call("*", half, half)))
        count = number_of(self.terms.surely)
        divisor = call("-", count, literal(1, "bigint")) if self.is_sample else count
        return call("sqrt", call("/", squares, call("greatest", divisor, literal(1, "bigint"))))

    @property
    def _slack(self) -> Expr:
        return call("*", self._size, _SLACK)


def _magnitude(end: Expr) -> Expr:
    return call("abs", end)


def _bound_spread(function: Expr, rows: GroupRows, doubt: Expr) -> Interval:
    if function.is_distinct:
        raise NoBounds(f"No rule bounds {function.name} of distinct values.")
    if '"nullOnDivideByZero": true' not in str(function.value):
        raise NoBounds(f"No rule bounds {function.name} where one value alone gives NaN.")
    terms = find_terms(function, rows)
    is_sample = function.name.endswith("samp")
    spread = _Spread(terms, is_sample)
    low, high = spread.low(), spread.high()
    if function.name.startswith("var"):
        low, high = (call("power", end, literal(2, "double")) for end in (low, high))
    needed = 2 if is_sample else 1
    missing = call("<", number_of(terms.surely), literal(needed, "bigint"))
    return Interval(low, high, missing, doubt, "double")


def _bound_approximate(function: Expr, rows: GroupRows, doubt: Expr) -> Interval:
    """`percentile_approx` gives the value of some row."""
    if not _is_number(function.args[1]):
        raise NoBounds(f"Only a quantile at one constant place has bounds, not this {function.name}.")
    terms = find_terms(function, rows)
    turned = terms.turned()
    low = unless_open(aggregate_possible_rows("min", when(terms.possibly, terms.end)), is_open(terms))
    high = unless_open(aggregate_possible_rows("max", when(terms.possibly, turned.end)), is_open(turned))
    return Interval(low, high, negate(some(terms.surely)), doubt, terms.value.type)


def _is_number(place: Expr) -> bool:
    inner = place.args[0] if place.name == "cast" else place
    return inner.kind == "literal" and not inner.type.startswith(("array", "{"))


SPREADS: dict[str, Callable[[Expr, GroupRows, Expr], Interval]] = {
    "median": bound_quantile,
    "percentile": bound_quantile,
    "approximatepercentile": _bound_approximate,
    "stddevpop": _bound_spread,
    "stddevsamp": _bound_spread,
    "variancepop": _bound_spread,
    "variancesamp": _bound_spread,
}
