"""The intervals of sums, differences, products, ratios and of functions that keep or turn the order of numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from whence.plan.bounds.interval import Bind, Interval, NoBounds, finite, is_whole, when
from whence.plan.decimal_types import decimal_result
from whence.plan.expr import FALSE, Expr, all_of, any_of, call, choose, holds, literal, negate

Rule = Callable[[Expr, Expr, Bind], Interval]
"""Of an expression and its doubt."""

_DIGITS = {"tinyint": 3, "smallint": 5, "int": 10, "bigint": 19}
_BITS = {"tinyint": 8, "smallint": 16, "int": 32, "bigint": 64}
_NUMBERS = (*_DIGITS, "float", "double", "decimal")
_WIDER = {
    "smallint": ("tinyint",),
    "int": ("tinyint", "smallint"),
    "bigint": ("tinyint", "smallint", "int"),
    # Rounding keeps the order, so that ends stay ends.
    "float": ("tinyint", "smallint", "int", "bigint", "decimal"),
    "double": ("tinyint", "smallint", "int", "bigint", "float", "decimal"),
    "timestamp": ("date",),
    "timestamp_ntz": ("date",),
    "date": ("timestamp_ntz",),
}


def _add(expr: Expr, doubt: Expr, bind: Bind) -> Interval:
    one, other = _operands(expr, bind)
    low, high = (call("try_add", *ends) for ends in ((one.low, other.low), (one.high, other.high)))
    return _computed((one, other), low, high, doubt, decimal_result("add", one.type, other.type))


def _subtract(expr: Expr, doubt: Expr, bind: Bind) -> Interval:
    one, other = _operands(expr, bind)
    low, high = call("try_subtract", one.low, other.high), call("try_subtract", one.high, other.low)
    return _computed((one, other), low, high, doubt, decimal_result("subtract", one.type, other.type))


def _multiply(expr: Expr, doubt: Expr, bind: Bind) -> Interval:
    one, other = _operands(expr, bind)
    return of_corners((one, other), "try_multiply", doubt, decimal_result("multiply", one.type, other.type))


def _divide(expr: Expr, doubt: Expr, bind: Bind) -> Interval:
    one, other = _operands(expr, bind)
    zero = literal(0, "int")
    away = any_of(holds(call(">", other.low, zero)), holds(call("<", other.high, zero)))
    ratio = of_corners((one, other), "try_divide", doubt)
    missing = any_of(ratio.missing, negate(away))
    low, high = when(away, ratio.low), when(away, ratio.high)
    return Interval(low, high, missing, ratio.doubt, ratio.type)


def _minus(expr: Expr, doubt: Expr, bind: Bind) -> Interval:
    inner = number(bind(expr.args[0]))
    return _computed((inner,), turn(inner.high), turn(inner.low), doubt)


def _abs(expr: Expr, doubt: Expr, bind: Bind) -> Interval:
    inner = number(bind(expr.args[0]))
    zero, known = call("try_subtract", inner.low, inner.low), call("isnotnull", turn(inner.low))
    low = call("greatest", zero, inner.low, turn(inner.high))
    high = call("greatest", inner.high, turn(inner.low))
    both = all_of(known, call("isnotnull", inner.high))
    return _computed((inner,), when(both, low), when(both, high), doubt)


def _rising(expr: Expr, doubt: Expr, bind: Bind) -> Interval:
    """A function of one number that keeps order; what it reads beside is a constant."""
    first, *rest = expr.args
    if any(arg.kind != "literal" for arg in rest):
        raise NoBounds(f"Only a constant second argument of {expr.name} has bounds.")
    inner = number(bind(first))
    low, high = (replace(expr, args=(end, *rest), is_rebuilt=True) for end in (inner.low, inner.high))
    return replace(_computed((inner,), low, high, doubt), type="")


def _cast(expr: Expr, doubt: Expr, bind: Bind) -> Interval:
    """To a type that holds every value of the other, or all values between the ends."""
    inner = bind(expr.args[0])
    limits = _limits(expr.type) if inner.type.split("(")[0] in _NUMBERS else None
    if not _fits(inner.type, expr.type) and limits is not None:
        least, greatest = (literal(limit, "decimal(38,0)") for limit in limits)
        is_held = all_of(holds(call(">=", inner.low, least)), holds(call("<=", inner.high, greatest)))
        low, high = (when(is_held, replace(expr, args=(end,), is_rebuilt=True)) for end in (inner.low, inner.high))
        return Interval(low, high, inner.missing, doubt, expr.type)
    if not _fits(inner.type, expr.type):
        raise NoBounds(f"No rule bounds a value turned from {inner.type or 'its type'} into {expr.type}.")
    low, high = (replace(expr, args=(end,), is_rebuilt=True) for end in (inner.low, inner.high))
    return Interval(low, high, inner.missing, doubt, expr.type, is_never_missing=inner.is_never_missing)


def _least(expr: Expr, doubt: Expr, bind: Bind) -> Interval:
    """NULLs are skipped: a low end is that of any, a high end counts if the value is surely there."""
    return _extreme([bind(arg) for arg in expr.args], doubt, is_least=True)


def _greatest(expr: Expr, doubt: Expr, bind: Bind) -> Interval:
    return _extreme([bind(arg) for arg in expr.args], doubt, is_least=False)


def _extreme(inner: list[Interval], doubt: Expr, *, is_least: bool) -> Interval:
    """A value that may be missing leaves the choice to the others, so that nothing is known."""
    name = "least" if is_least else "greatest"
    leaves = any_of(*(all_of(each.doubt, holds(each.missing)) for each in inner))
    low, high = (call(name, *ends) for ends in ((each.low for each in inner), (each.high for each in inner)))
    low = choose(any_of(leaves, *(each.has_no_low for each in inner)), when(FALSE, low), low)
    high = choose(any_of(leaves, *(each.has_no_high for each in inner)), when(FALSE, high), high)
    return Interval(low, high, any_of(*(each.missing for each in inner)), doubt, inner[0].type)


def turn(end: Expr) -> Expr:
    """The end with the other sign: subtracted from zero, because the minus of the least whole number overflows."""
    return call("try_subtract", call("try_subtract", end, end), end)


ARITHMETIC: dict[str, Rule] = {
    "add": _add,
    "subtract": _subtract,
    "multiply": _multiply,
    "divide": _divide,
    "unaryminus": _minus,
    "abs": _abs,
    "cast": _cast,
    "least": _least,
    "greatest": _greatest,
    "floor": _rising,
    "ceil": _rising,
    "round": _rising,
    "bround": _rising,
}


def _operands(expr: Expr, bind: Bind) -> tuple[Interval, Interval]:
    one, other = expr.args[:2]
    return number(bind(one)), number(bind(other))


def number(interval: Interval) -> Interval:
    """Return the interval; refuse one that is not of numbers."""
    if interval.type.startswith(("date", "timestamp", "string", "interval")):
        raise NoBounds("No rule bounds arithmetic with dates and texts.")
    return interval


def of_corners(operands: tuple[Interval, Interval], function: str, doubt: Expr, kind: str = "") -> Interval:
    """A product or ratio is least and greatest at ends of its operands; an end that is not known takes all along."""
    one, other = operands
    ends = [[each.low] if each.low == each.high else [each.low, each.high] for each in (one, other)]
    corners = [call(function, left, right) for left in ends[0] for right in ends[1]]
    if len(corners) == 1:
        return _computed(operands, corners[0], corners[0], doubt, kind)
    known = all_of(*(call("isnotnull", corner) for corner in corners))
    low, high = call("least", *corners), call("greatest", *corners)
    return _computed(operands, when(known, low), when(known, high), doubt, kind)


def _computed(operands: tuple[Interval, ...], low: Expr, high: Expr, doubt: Expr, decimal: str = "") -> Interval:
    """The result is NULL if an operand is; an end that overflows is not known. `decimal` is its type if it is one."""
    types = {each.type for each in operands}
    kind = types.pop() if len(types) == 1 else ""
    kind = kind if is_whole(kind) or kind in ("double", "float") else decimal
    known = "decimal" if all(each.type.startswith("decimal") for each in operands) else kind
    missing = any_of(*(each.missing for each in operands))
    is_never_missing = all(each.is_never_missing for each in operands)
    return Interval(finite(low, known), finite(high, known), missing, doubt, kind, is_never_missing=is_never_missing)


def _limits(target: str) -> tuple[str, str] | None:
    """Between which whole numbers every number can be turned into this type, keeping the order; None for others."""
    if target in _BITS:
        greatest = 2 ** (_BITS[target] - 1) - 1
        return str(-greatest), str(greatest)
    if target.startswith("decimal("):
        precision, scale = (int(part) for part in target[len("decimal(") : -1].split(","))
        greatest = 10 ** (precision - scale) - 1
        return str(-greatest), str(greatest)
    return None


def _fits(kind: str, target: str) -> bool:
    if kind and (kind == target or kind.split("(")[0] in _WIDER.get(target, ())):
        return True
    if not target.startswith("decimal(") or not kind:
        return False
    precision, scale = (int(part) for part in target[len("decimal(") : -1].split(","))
    if kind.startswith("decimal("):
        given, digits = (int(part) for part in kind[len("decimal(") : -1].split(","))
        return scale >= digits and precision - scale >= given - digits
    return precision - scale >= _DIGITS.get(kind, 100)
