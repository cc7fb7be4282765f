"""The intervals of functions that keep order, and of functions whose values all lie in a known range."""

from __future__ import annotations

from dataclasses import replace

from whence.plan.bounds.arithmetic import Rule
from whence.plan.bounds.interval import Bind, Interval, NoBounds, when
from whence.plan.expr import Expr, all_of, any_of, call, holds, literal

_TEXTS = ("string",)
_NUMBERS = ("tinyint", "smallint", "int", "bigint", "float", "double", "decimal")


def is_constant(expr: Expr) -> bool:
    """A literal, or one that is only cast."""
    return expr.kind == "literal" or (expr.name == "cast" and expr.args[0].kind == "literal")


def rising(expr: Expr, bind: Bind, doubt: Expr, kinds: tuple[str, ...], kind: str, place: int = 0) -> Interval:
    """A function that keeps the order of the argument at one place, beside constants only."""
    others = [arg for number, arg in enumerate(expr.args) if number != place]
    if not all(map(is_constant, others)):
        raise NoBounds(f"The function {expr.name} has bounds only with constants beside its first argument.")
    inner = bind(expr.args[place])
    if not inner.type or inner.type.split("(")[0] not in kinds:
        raise NoBounds(f"No rule bounds the function {expr.name} of {inner.type or 'such values'}.")
    low, high = (with_arg(expr, place, end) for end in (inner.low, inner.high))
    # With some constants, such as a unit that does not exist, the value is always NULL.
    return Interval(low, high, any_of(holds(inner.missing), call("isnull", expr)), doubt, kind)


def with_arg(expr: Expr, place: int, end: Expr) -> Expr:
    """The same call with another argument at one place."""
    args = (*expr.args[:place], end, *expr.args[place + 1 :])
    return replace(expr, args=args, is_rebuilt=True)


def _real(expr: Expr, doubt: Expr, bind: Bind) -> Interval:
    """A function of a number that is defined, and rises, everywhere."""
    found = rising(expr, bind, doubt, ("double",), "double")
    return known_together(found)


def _positive(expr: Expr, doubt: Expr, bind: Bind) -> Interval:
    """A function that rises where it is defined; below it is NULL or NaN, so a low end there says nothing."""
    found = known_together(rising(expr, bind, doubt, ("double",), "double"))
    return replace(found, missing=any_of(found.missing, call("isnull", found.low)), is_never_missing=False)


def known_together(found: Interval) -> Interval:
    """Where an end is NaN or infinite, values beyond the other may be, too."""
    infinity = literal("Infinity", "double")
    known = all_of(*(holds(call("<", call("abs", end), infinity)) for end in (found.low, found.high)))
    return replace(found, low=when(known, found.low), high=when(known, found.high))


def _sign(expr: Expr, doubt: Expr, bind: Bind) -> Interval:
    return rising(expr, bind, doubt, _NUMBERS, "double")


def _prefix(expr: Expr, doubt: Expr, bind: Bind) -> Interval:
    """The first letters of texts are in the order of the texts."""
    if expr.args[1].kind != "literal" or expr.args[1].value not in (0, 1):
        raise NoBounds("Of a text, only the first letters have bounds.")
    return rising(expr, bind, doubt, _TEXTS, "string")


def _left(expr: Expr, doubt: Expr, bind: Bind) -> Interval:
    return rising(expr, bind, doubt, _TEXTS, "string")


def _replaced(expr: Expr, doubt: Expr, bind: Bind) -> Interval:
    """A function that Spark writes as another expression, its one argument."""
    if len(expr.args) != 1:
        raise NoBounds(f"No rule bounds the function {expr.name}.")
    return bind(expr.args[0])


MONOTONE: dict[str, Rule] = {
    **dict.fromkeys(("exp", "expm1", "cbrt", "atan", "tanh", "sinh", "asinh", "todegrees", "toradians"), _real),
    **dict.fromkeys(("sqrt", "log", "log10", "log2", "log1p"), _positive),
    "signum": _sign,
    "substring": _prefix,
    "left": _left,
    **dict.fromkeys(("nvl", "nvl2", "nullif", "ifnull", "datepart", "extract"), _replaced),
}
