"""The calls of `caveat` and `caveat_if` in an expression, each with the condition under which it is raised on a row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from whence.plan.expr import TRUE, Expr, all_of, call, holds, literal, negate, null
from whence.plan.higher_order import for_each_element, is_lambda, lambda_bodies, reads_variables

NO_REASON = "No reason was given."
_SEPARATOR = "; "


@dataclass(frozen=True)
class CaveatCall:
    """A call: where it is evaluated and holds, and its message over the row (None: whoever made it lists it)."""

    caveat: Expr
    condition: Expr
    message: Expr | None


def find_caveats(expr: Expr, when: Expr = TRUE) -> Iterator[CaveatCall]:
    """The calls in an expression that is evaluated where `when` holds."""
    match expr.kind:
        case "caveat":
            value, condition = expr.args
            message = expr.value if isinstance(expr.value, Expr) else None
            yield CaveatCall(expr, all_of(when, holds(condition)), message)
            yield from find_caveats(value, when)
            yield from find_caveats(condition, when)
        case "if" | "case":
            yield from _in_branches(expr.args, when)
        case "coalesce":
            for arg in expr.args:
                yield from find_caveats(arg, when)
                when = all_of(when, call("isnull", arg))
        case "aggregate" if expr.condition is not None:
            yield from find_caveats(expr.condition, when)
            for arg in expr.args:
                yield from find_caveats(arg, all_of(when, holds(expr.condition)))
        case _:
            for child in expr.children:
                yield from () if is_lambda(child) else find_caveats(child, when)
            yield from find_caveats_in_lambdas(expr, when)


def find_caveats_in_lambdas(function: Expr, when: Expr = TRUE) -> Iterator[CaveatCall]:
    """The calls in the lambdas of a function; each is raised on the row if it is for some element."""
    for place, body in lambda_bodies(function):
        for each in find_caveats(body):
            condition, message = _for_some_element(function, place, each)
            yield CaveatCall(each.caveat, all_of(when, condition), message)


def _for_some_element(function: Expr, place: int, found: CaveatCall) -> tuple[Expr, Expr | None]:
    """Where a call holds for some element, and the messages of all such elements."""
    flags = for_each_element(function, place, found.condition)
    condition = TRUE if flags is None else holds(call("array_contains", flags, TRUE))
    if found.message is None or not reads_variables(found.message):
        return condition, found.message
    if flags is None:  # the call may be raised on any row, and nothing tells its message
        return condition, literal(NO_REASON, "string")
    own = Expr("if", (found.condition, message_text(found.message), null("string")), name="if")
    messages = for_each_element(function, place, own)
    assert messages is not None, "the flags of the same elements were found"
    return condition, call("array_join", call("array_distinct", messages), literal(_SEPARATOR, "string"))


def message_text(message: Expr) -> Expr:
    """A message as text that is never NULL."""
    return Expr("coalesce", (call("string", message), literal(NO_REASON, "string")), name="coalesce")


def _in_branches(args: tuple[Expr, ...], when: Expr) -> Iterator[CaveatCall]:
    if len(args) < 2:
        for last in args:
            yield from find_caveats(last, when)
        return
    condition, then, *rest = args
    yield from find_caveats(condition, when)
    yield from find_caveats(then, all_of(when, holds(condition)))
    yield from _in_branches(tuple(rest), all_of(when, negate(holds(condition))))
