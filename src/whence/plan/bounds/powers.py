"""The interval of a power with a constant exponent."""

from __future__ import annotations

from dataclasses import replace

from whence.plan.bounds.arithmetic import Rule
from whence.plan.bounds.interval import Bind, Interval, NoBounds, when
from whence.plan.bounds.monotone import is_constant, known_together, with_arg
from whence.plan.expr import Expr, call, choose, holds, literal

_NAUGHT = literal(0, "double")


def _power(expr: Expr, doubt: Expr, bind: Bind) -> Interval:
    """Odd powers rise everywhere, even ones fall up to zero; any other, and a root, only counts from zero on."""
    exponent, base = _exponent(expr.args[1]), bind(expr.args[0])
    if base.type != "double":
        raise NoBounds(f"No rule bounds the function {expr.name} of {base.type or 'such values'}.")
    low, high = (with_arg(expr, 0, end) for end in (base.low, base.high))
    is_positive = holds(call(">", base.low, _NAUGHT))
    is_not_negative = holds(call(">=", base.low, _NAUGHT))
    if exponent < 0:
        ends = when(is_positive, high), when(is_positive, low)
    elif not exponent.is_integer():
        ends = when(is_not_negative, low), when(is_not_negative, high)
    elif exponent % 2:
        ends = low, high
    else:
        least = choose(is_not_negative, low, choose(holds(call("<=", base.high, _NAUGHT)), high, _NAUGHT))
        both = call("isnotnull", call("try_add", base.low, base.high))
        ends = when(both, least), when(both, call("greatest", low, high))
    return known_together(replace(base, low=ends[0], high=ends[1], doubt=doubt, is_never_missing=False))


def _exponent(arg: Expr) -> float:
    value = arg.value if arg.kind == "literal" else arg.args[0].value if is_constant(arg) else None
    try:
        return float(str(value))
    except ValueError:
        raise NoBounds("Only a power with a constant exponent has bounds.") from None


POWERS: dict[str, Rule] = {"pow": _power}
