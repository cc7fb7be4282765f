"""What each row of a group gives to an aggregate: its least and greatest value, and in which worlds it counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from whence.plan.bounds.bound import Bounds
from whence.plan.bounds.interval import Interval, when
from whence.plan.expr import (
    FALSE,
    POSSIBLE_ROWS,
    SOME_POSSIBLE_ROW,
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

NameValue = Callable[[Expr], Expr]
"""Gives a column that holds the value of an expression over a row."""

ZERO = literal(0, "bigint")


def _as_it_is(expr: Expr) -> Expr:
    return expr


@dataclass(frozen=True)
class GroupRows:
    """The rows of a group: `is_sure` where one is there in every world; `exists`: no world has an empty group."""

    bounds: Bounds
    is_sure: Expr
    exists: bool
    is_present: Expr = TRUE
    """The row is there now: ghosts are not."""
    name_value: NameValue = _as_it_is
    has_shown_value: bool = False
    """The aggregate itself, over the rows that are there now, may be asked for beside its bounds."""


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
    varies: Expr
    """The row may give something else than it gives now."""
    shown: Expr
    """The value of the row now."""
    is_counted: Expr
    """The row counts now."""
    rows: GroupRows

    @property
    def possibly(self) -> Expr:
        """The row counts in some world."""
        return self.name(any_of(self.surely, self.maybe))

    @property
    def end_of_row(self) -> Expr:
        """The low end of the row, to be computed where it stands."""
        return choose(self.value.doubt, self.value.low, self.shown)

    @property
    def end(self) -> Expr:
        """The low end of the row, as a column."""
        return self.name(self.end_of_row)

    @property
    def is_open(self) -> Expr:
        """The row may count, and its low end is not known."""
        return self.name(all_of(self.possibly, self.value.has_no_low))

    def turned(self) -> Terms:
        """The same with low and high ends exchanged."""
        return replace(self, value=replace(self.value, low=self.value.high, high=self.value.low))

    def name(self, expr: Expr) -> Expr:
        """A column with the value of an expression over a row."""
        return self.rows.name_value(expr)


def find_terms(function: Expr, rows: GroupRows) -> Terms:
    """What the rows give to an aggregate of its first argument."""
    argument, condition, name = function.args[0], function.condition, rows.name_value
    value = rows.bounds.of(argument)
    passes = never = open_choice = FALSE
    if condition is None:
        passes = TRUE
    else:
        verdict = rows.bounds.settle(condition)
        passes, never = verdict.is_true, verdict.is_never_true
        open_choice = rows.bounds.doubt_of(condition)
    may_be_null = name(holds(value.missing))
    is_null = may_be_null if value.is_never_missing else all_of(negate(value.doubt), may_be_null)
    is_sure = all_of(rows.is_sure, passes)
    surely = all_of(is_sure, negate(may_be_null))
    absent = negate(is_sure) if value.is_never_missing else negate(surely)
    counts = TRUE if condition is None else holds(condition)
    return Terms(
        value=value,
        surely=name(surely),
        maybe=name(all_of(negate(never), negate(is_null), absent)),
        may_be_null=may_be_null,
        is_filled=rows.exists and condition is None,
        varies=name(any_of(value.doubt, negate(rows.is_sure), open_choice)),
        shown=argument,
        is_counted=name(all_of(rows.is_present, counts, call("isnotnull", argument))),
        rows=rows,
    )


def aggregate_possible_rows(name: str, *args: Expr, only: Expr = TRUE) -> Expr:
    """An aggregate over every row of the group that may be there; `only` over those for which a claim holds."""
    limit = None if only == TRUE else only
    return Expr("aggregate", args, name=name, value=POSSIBLE_ROWS, condition=limit)


def some(claim: Expr) -> Expr:
    """Some row of the group that may be there is so."""
    if claim in (TRUE, FALSE):
        return claim if claim == FALSE else call(">", aggregate_possible_rows("count", literal(1, "int")), ZERO)
    return holds(Expr("aggregate", (claim,), name="max", value=SOME_POSSIBLE_ROW))


def number_of(claim: Expr) -> Expr:
    """How many rows of the group that may be there are so."""
    return aggregate_possible_rows("count", when(claim, literal(1, "int")))


def is_open(terms: Terms) -> Expr:
    """Some row that may count has no known end on this side."""
    return some(terms.is_open)


def unless_open(end: Expr, is_unknown: Expr) -> Expr:
    """The end, where it is not unknown."""
    return choose(is_unknown, when(FALSE, end), end)
