"""The intervals of functions of dates. Times of a time zone have none: clocks that are set back turn their order."""

from __future__ import annotations

from dataclasses import replace

from whence.plan.bounds.arithmetic import Rule
from whence.plan.bounds.interval import Bind, Interval, NoBounds, when
from whence.plan.bounds.monotone import rising
from whence.plan.expr import Expr, all_of, any_of, call, choose, holds, literal

_DATES = ("date", "timestamp_ntz")
_FARTHEST = 1_000_000
"""More days or months than this are not added: dates overflow."""

_PARTS = {
    "quarter": ("year", 1, 4),
    "month": ("year", 1, 12),
    "weekofyear": (None, 1, 53),
    "dayofyear": ("year", 1, 366),
    "dayofmonth": ("month", 1, 31),
    "dayofweek": (None, 1, 7),
    "weekday": (None, 0, 6),
}
"""Of each part of a date: within which unit it rises, and its least and greatest value."""


def _of_date(kind: str) -> Rule:
    def rule(expr: Expr, doubt: Expr, bind: Bind) -> Interval:
        return rising(expr, bind, doubt, _DATES, kind)

    return rule


def _truncate(expr: Expr, doubt: Expr, bind: Bind) -> Interval:
    """`date_trunc(unit, date)`: Spark makes a timestamp of the date, at midnight, which keeps the order."""
    unit, moment = expr.args[:2]
    if unit.kind != "literal":
        raise NoBounds("Only with a constant unit has date_trunc bounds.")
    inner = bind(moment)
    is_date = moment.name == "cast" and bind(moment.args[0]).type == "date"
    if not is_date and inner.type != "timestamp_ntz":
        raise NoBounds("No rule bounds date_trunc of times in a time zone.")
    low, high = (replace(expr, args=(unit, end, *expr.args[2:]), is_rebuilt=True) for end in (inner.low, inner.high))
    return Interval(low, high, any_of(holds(inner.missing), call("isnull", expr)), doubt, "timestamp")


def _part(expr: Expr, doubt: Expr, bind: Bind) -> Interval:
    """A part of a date rises as long as the larger unit stays the same; else it is anything it can be."""
    inner = bind(expr.args[0])
    if inner.type not in _DATES:
        raise NoBounds(f"No rule bounds the function {expr.name} of times in a time zone.")
    unit, least, greatest = _PARTS[expr.name]
    low, high = (replace(expr, args=(end,), is_rebuilt=True) for end in (inner.low, inner.high))
    if unit is None:
        same = holds(call("=", inner.low, inner.high))
    else:
        text = literal(unit, "string")
        same = holds(call("=", *(call("trunc", call("date", end), text) for end in (inner.low, inner.high))))
    low, high = choose(same, low, literal(least, "int")), choose(same, high, literal(greatest, "int"))
    return Interval(low, high, inner.missing, doubt, "int")


def _add(expr: Expr, doubt: Expr, bind: Bind) -> Interval:
    """`date_add(d, days)`, `add_months(d, months)`: later dates and more days give later dates."""
    return _moved(expr, doubt, bind, is_back=False)


def _subtract(expr: Expr, doubt: Expr, bind: Bind) -> Interval:
    return _moved(expr, doubt, bind, is_back=True)


def _moved(expr: Expr, doubt: Expr, bind: Bind, *, is_back: bool) -> Interval:
    day, steps = (bind(arg) for arg in expr.args[:2])
    if day.type != "date":
        raise NoBounds(f"No rule bounds the function {expr.name} of {day.type or 'such values'}.")
    fewest, most = (steps.high, steps.low) if is_back else (steps.low, steps.high)
    limit = literal(_FARTHEST, "bigint")
    near = all_of(*(holds(call("<", call("abs", call("bigint", end)), limit)) for end in (steps.low, steps.high)))
    ends = ((day.low, fewest), (day.high, most))
    low, high = (when(near, replace(expr, args=pair, is_rebuilt=True)) for pair in ends)
    missing = Expr("or", (holds(day.missing), holds(steps.missing)), name="or")
    return Interval(low, high, missing, doubt, "date")


def _difference(expr: Expr, doubt: Expr, bind: Bind) -> Interval:
    """`datediff(end, start)`."""
    one, other = (bind(arg) for arg in expr.args[:2])
    if {one.type, other.type} != {"date"}:
        raise NoBounds(f"No rule bounds the function {expr.name} of times.")
    ends = ((one.low, other.high), (one.high, other.low))
    low, high = (replace(expr, args=pair, is_rebuilt=True) for pair in ends)
    missing = Expr("or", (holds(one.missing), holds(other.missing)), name="or")
    return Interval(low, high, missing, doubt, "int")


DATES: dict[str, Rule] = {
    "year": _of_date("int"),
    "unixdate": _of_date("int"),
    "lastday": _of_date("date"),
    "nextday": _of_date("date"),
    "truncdate": _of_date("date"),
    "trunctimestamp": _truncate,
    "dateadd": _add,
    "datesub": _subtract,
    "addmonths": _add,
    "dateaddyminterval": _of_date("date"),
    "datediff": _difference,
    **dict.fromkeys(_PARTS, _part),
}
