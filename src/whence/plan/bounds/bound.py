"""Between which values an expression lies, given the ranges of the columns it reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from whence.plan.bounds.arithmetic import ARITHMETIC
from whence.plan.bounds.conditions import CONDITIONS, Verdict, settle, truth
from whence.plan.bounds.dates import DATES
from whence.plan.bounds.interval import Interval, NoBounds, Ranges, exact, hull, pick, when
from whence.plan.bounds.monotone import MONOTONE
from whence.plan.bounds.powers import POWERS
from whence.plan.bounds.remainders import REMAINDERS
from whence.plan.common_expressions import without_common_expression
from whence.plan.decimal_types import decimal_result
from whence.plan.doubt import choice_doubt, doubt
from whence.plan.expr import (
    FALSE,
    TRUE,
    Expr,
    all_of,
    any_of,
    call,
    choose,
    holds,
    negate,
    null,
    try_cast,
    variable,
    with_lambda,
)

MOST_NODES = 4000
"""Ends of expressions that are larger than this are not computed: each operand stands in them several times."""

RULES = {**ARITHMETIC, **MONOTONE, **REMAINDERS, **POWERS, **DATES}

_MOST_REPEATED = 40
"""Smaller ends are repeated, not named."""

NOTHING_STATED = "No range is stated for some value that it is made from."

_CAST_BY_NAME = ("tinyint", "smallint", "int", "bigint", "float", "double", "date", "timestamp", "string")

OfAggregate = Callable[[Expr], Interval]


@dataclass(frozen=True)
class Bounds:
    """Finds intervals of expressions over one input; `reasons` say why a doubtful column has no range."""

    doubts: Mapping[int, Expr]
    ranges: Ranges
    reasons: Mapping[int, str]
    of_aggregate: OfAggregate | None = None
    aggregate_doubt: Callable[[Expr], Expr] | None = None
    name_value: Callable[[Expr], Expr] | None = None
    """Gives a column with the value of an expression over a row; ends of products of products read it."""
    settles_rows: bool = True
    """Ranges may say that a condition cannot decide otherwise."""

    def of(self, expr: Expr) -> Interval:
        """The interval of an expression; raises NoBounds if there is none."""
        found = self._of(expr)
        if _count_nodes(found) > MOST_NODES:
            raise NoBounds("The expression is too long for bounds.")
        return found

    def doubt_of(self, expr: Expr) -> Expr:
        """Where the expression could have another value."""
        return doubt(expr, self.doubts, self.aggregate_doubt)

    def settle(self, condition: Expr) -> Verdict:
        """What is so of a condition in every world."""
        return settle(condition, self.doubt_of, self.of)

    def could_settle(self, condition: Expr) -> bool:
        """Whether a condition is in doubt, which ranges could take away."""
        return self.settles_rows and choice_doubt(condition, self.doubts) != FALSE

    def could_decide_otherwise(self, condition: Expr) -> Expr:
        """True where a condition of WHERE, ON or CASE could decide otherwise within the ranges."""
        is_open = choice_doubt(condition, self.doubts)
        if is_open == FALSE or not self.settles_rows:
            return is_open
        verdict = self.settle(condition)
        return all_of(is_open, negate(verdict.is_true), negate(verdict.is_never_true))

    def _of(self, expr: Expr) -> Interval:
        if expr.kind == "alias":
            return self._of(expr.args[0])
        if expr.kind == "aggregate" and self.of_aggregate is not None:
            return self.of_aggregate(expr)
        if expr.kind == "column":
            return self._of_column(expr)
        if not expr.repeats:
            raise NoBounds("What is computed by chance has no bounds.")
        in_doubt = self.doubt_of(expr)
        if in_doubt == FALSE:
            return exact(expr, type_of(expr))
        return self._of_doubtful(without_common_expression(expr), in_doubt)

    def _of_doubtful(self, expr: Expr, in_doubt: Expr) -> Interval:
        match expr.kind:
            case "caveat":
                return self._of_caveat(expr, in_doubt)
            case "if" | "case":
                return self._of_branches(expr.args, in_doubt)
            case "coalesce":
                return self._of_first(expr.args, in_doubt)
        if expr.kind in ("and", "or", "not") or expr.name in CONDITIONS:
            return truth(self.settle(expr), in_doubt)
        rule = RULES.get(expr.name)
        if rule is None:
            raise NoBounds(f"No rule bounds {_called(expr)}.")
        return rule(expr, in_doubt, self._of_operand)

    def _of_operand(self, expr: Expr) -> Interval:
        """The interval of what a rule reads, which stands several times in what it makes."""
        found = self._of(expr)
        if self.name_value is None or found.doubt == FALSE or _count_nodes(found) <= _MOST_REPEATED:
            return found
        low, high = (self.name_value(choose(found.doubt, end, expr)) for end in (found.low, found.high))
        return replace(found, low=low, high=high, missing=self.name_value(found.missing))

    def _of_column(self, expr: Expr) -> Interval:
        column = expr.output
        if column.id not in self.doubts:
            return exact(expr, column.type)
        if column.id not in self.ranges:
            raise NoBounds(self.reasons.get(column.id, NOTHING_STATED))
        return self.ranges[column.id]

    def _of_caveat(self, expr: Expr, in_doubt: Expr) -> Interval:
        """What is stated replaces what was known of the value; the value that stands there is among the possible."""
        value, condition = expr.args
        known = self._of_stated_value(expr)
        if expr.stated is None:
            unknown = all_of(in_doubt, self._is_raised_somewhere(condition))
            low_end = choose(unknown, when(FALSE, known.low), known.low)
            high_end = choose(unknown, when(FALSE, known.high), known.high)
            return Interval(low_end, high_end, any_of(known.missing, unknown), in_doubt, known.type)
        kind = known.type or type_of(value)
        low, high = (self._of(end) for end in expr.stated)
        own = Interval(
            when(_is_known(low, low.low), call("least", _as_type(low.low, low.type, kind), value)),
            when(_is_known(high, high.high), call("greatest", _as_type(high.high, high.type, kind), value)),
            any_of(call("isnull", value), self._may_hold_null(expr.alternatives)),
            in_doubt,
            kind,
        )
        verdict = self.settle(condition)
        return pick(verdict.is_true, verdict.is_never_true, own, known, in_doubt)

    def _may_hold_null(self, alternatives: Expr | None) -> Expr:
        """Whether NULL is among the values of an array, or could be."""
        if alternatives is None:
            return FALSE
        value = variable("value")
        has_null = holds(call("exists", alternatives, with_lambda(call("isnull", value), value)))
        return any_of(has_null, self.doubt_of(alternatives))

    def _of_stated_value(self, expr: Expr) -> Interval:
        """What is known of the value itself; nothing need be, where a range is stated."""
        value = expr.args[0]
        try:
            return self._of(value)
        except NoBounds:
            if expr.stated is None:
                raise
            unknown = when(FALSE, value)
            return Interval(unknown, unknown, TRUE, TRUE, type_of(value))

    def _is_raised_somewhere(self, condition: Expr) -> Expr:
        return negate(self.settle(condition).is_never_true)

    def _of_branches(self, args: tuple[Expr, ...], in_doubt: Expr) -> Interval:
        condition, then, *rest = args
        one = self._of(then)
        if len(rest) > 1:
            other = self._of_branches(tuple(rest), in_doubt)
        else:
            other = self._of(rest[0]) if rest else exact(null("void"))
        verdict = self.settle(condition)
        return pick(verdict.is_true, verdict.is_never_true, one, other, in_doubt)

    def _of_first(self, args: tuple[Expr, ...], in_doubt: Expr) -> Interval:
        """The first value that is not NULL."""
        first, *rest = args
        one = self._of(first)
        if not rest:
            return one
        other = self._of_first(tuple(rest), in_doubt)
        is_there = negate(holds(one.missing))
        is_null = all_of(negate(one.doubt), call("isnull", first))
        both = hull(one, other, in_doubt)
        picked = pick(is_there, is_null, one, other, in_doubt)
        missing = all_of(holds(one.missing), holds(other.missing))
        is_never_missing = one.is_never_missing and other.is_never_missing
        return Interval(picked.low, picked.high, missing, in_doubt, both.type, is_never_missing=is_never_missing)


def _count_nodes(found: Interval) -> int:
    return sum(1 for end in (found.low, found.high) for _ in end.walk())


def _is_known(stated: Interval, end: Expr) -> Expr:
    """An end that is stated, and that would be in every world."""
    return all_of(call("isnotnull", end), negate(all_of(stated.doubt, holds(stated.missing))))


def _as_type(end: Expr, given: str, wanted: str) -> Expr:
    """The end in the type of the value.

    Whole numbers are cut towards zero, decimals are rounded: no number that the type holds leaves the range.
    """
    if given == wanted:
        return end
    if wanted.startswith("decimal("):
        return try_cast(end, wanted)
    return call(wanted, end) if wanted in _CAST_BY_NAME else end


def type_of(expr: Expr) -> str:
    """The type of an expression, as far as it can be told; an empty text otherwise."""
    if expr.kind in ("column", "literal") or expr.name == "cast":
        return expr.type
    if expr.kind in ("alias", "caveat"):
        return type_of(expr.args[0])
    if expr.name in ("abs", "unaryminus"):
        return type_of(expr.args[0])
    if expr.name in ("add", "subtract", "multiply"):
        one, other = (type_of(arg) for arg in expr.args[:2])
        found = decimal_result(expr.name, one, other)
        return one if one == other and not found else found
    return ""


def _called(expr: Expr) -> str:
    return {"window": f"the window function {expr.name}", "opaque": "what a rule cannot see into"}.get(
        expr.kind, f"the function {expr.name}"
    )
