"""The least mean of numbers that count and any choice of others: a fold over an array, by a lambda of Spark's."""

from __future__ import annotations

from whence.plan.expr import Expr, call, literal, null, variable, with_lambda

_ZERO, _ONE = literal(0, "bigint"), literal(1, "bigint")
_SUM, _COUNT = literal("sum", "string"), literal("count", "string")


def extend_mean(total: Expr, count: Expr, others: Expr, *, is_least: bool) -> Expr:
    """The mean of numbers with this total and count, and of those others (in order) that lower it; or that raise it."""
    so_far, value = variable("so_far"), variable("value")
    total_so_far, count_so_far = variable("so_far.sum"), variable("so_far.count")
    changes = call("<" if is_least else ">", call("*", value, count_so_far), total_so_far)
    is_first = call("=", count_so_far, _ZERO)
    more = _pair(call("+", total_so_far, value), call("+", count_so_far, _ONE))
    taken = Expr("if", (Expr("or", (is_first, changes), name="or"), more, so_far), name="if")
    # `try_divide` asks for types, which a variable has none of before the whole is analysed.
    mean = Expr(
        "if", (call(">", count_so_far, _ZERO), call("/", total_so_far, count_so_far), null("double")), name="if"
    )
    return call("aggregate", others, _pair(total, count), with_lambda(taken, so_far, value), with_lambda(mean, so_far))


def _pair(total: Expr, count: Expr) -> Expr:
    return call("named_struct", _SUM, total, _COUNT, count)
