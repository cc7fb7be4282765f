"""The intervals of whole quotients and remainders."""

from __future__ import annotations

from dataclasses import replace

from whence.plan.bounds.arithmetic import Rule, number, of_corners, turn
from whence.plan.bounds.interval import Bind, Interval, NoBounds, is_whole, when
from whence.plan.expr import FALSE, Expr, all_of, any_of, call, choose, holds, literal, negate

_NAUGHT = literal(0, "int")


def _div(expr: Expr, doubt: Expr, bind: Bind) -> Interval:
    """A quotient without its fraction rises and falls as the quotient does."""
    one, other = (number(bind(arg)) for arg in expr.args[:2])
    away = any_of(holds(call(">", other.low, _NAUGHT)), holds(call("<", other.high, _NAUGHT)))
    ratio = of_corners((_without_least(one), _without_zero(other)), "div", doubt)
    missing = any_of(one.missing, other.missing, negate(away))
    return Interval(when(away, ratio.low), when(away, ratio.high), missing, doubt, "bigint")


def _without_zero(divisor: Interval) -> Interval:
    """Ends by which nothing is divided are NULL: where Spark divides by zero, the query fails."""
    low, high = (when(negate(call("=", end, _NAUGHT)), end) for end in (divisor.low, divisor.high))
    return replace(divisor, low=low, high=high)


def _without_least(dividend: Interval) -> Interval:
    """The least whole number is left out: divided by -1 it overflows."""
    low, high = (when(call("isnotnull", turn(end)), end) for end in (dividend.low, dividend.high))
    return replace(dividend, low=low, high=high)


def _remainder(expr: Expr, doubt: Expr, bind: Bind) -> Interval:
    """It has the sign of the dividend, and is nearer to zero than dividend and divisor."""
    one, divisor = (number(bind(arg)) for arg in expr.args[:2])
    if divisor.doubt != FALSE:
        raise NoBounds("Only a certain divisor of % has bounds.")
    by = divisor.low
    size = when(call("isnotnull", turn(by)), call("greatest", by, turn(by)))
    least, most = _wide(one, _limit(size, one.type))
    if is_whole(one.type):
        rests = [
            replace(expr, args=(end, when(negate(call("=", by, _NAUGHT)), by)), is_rebuilt=True)
            for end in (one.low, one.high)
        ]
        stays = _stays(one, (rests[0], rests[1]))
        least, most = choose(stays, rests[0], least), choose(stays, rests[1], most)
    missing = any_of(one.missing, divisor.missing, holds(call("=", by, _NAUGHT)))
    known = all_of(call("isnotnull", one.low), call("isnotnull", one.high), call("isnotnull", size))
    kind = one.type if is_whole(one.type) else ""
    return Interval(when(known, least), when(known, most), missing, doubt, kind)


def _limit(size: Expr, kind: str) -> Expr:
    """The greatest remainder of whole numbers is one less than the divisor; of others it is below the divisor."""
    return call("try_subtract", size, literal(1, kind)) if is_whole(kind) else size


def _wide(one: Interval, limit: Expr) -> tuple[Expr, Expr]:
    zero = call("try_subtract", limit, limit)
    low = choose(holds(call(">=", one.low, _NAUGHT)), zero, call("greatest", one.low, turn(limit)))
    high = choose(holds(call("<=", one.high, _NAUGHT)), zero, call("least", one.high, limit))
    return low, high


def _stays(one: Interval, rests: tuple[Expr, Expr]) -> Expr:
    """Between the ends no multiple of the divisor lies, so that the remainder rises with the dividend."""
    has_sign = any_of(holds(call(">=", one.low, _NAUGHT)), holds(call("<=", one.high, _NAUGHT)))
    below = (call("try_subtract", end, rest) for end, rest in zip((one.low, one.high), rests, strict=True))
    return all_of(has_sign, holds(call("=", *below)))


REMAINDERS: dict[str, Rule] = {"integraldivide": _div, "remainder": _remainder}
