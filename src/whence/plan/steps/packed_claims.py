"""Many questions whether some row of a group is so, asked as one: a bit for each in one number of the group."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from whence.plan.expr import FALSE, SOME_POSSIBLE_ROW, SOME_ROW, Expr, aggregate, call, literal

_MOST = 24
"""Claims that share a number; each output that asks for one names them all, and Spark computes them once."""


def pack_claims(outputs: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """The outputs of a group-by with one aggregate for all claims: `max(a), max(a or b)` are bits of `bit_or(a | 2 b)`.

    Spark keeps and updates a value for every aggregate and every group, and each costs as much as a sum. Some row is
    `a or b` if some row is `a` or some row is `b`, so what several claims have in common is looked at once.
    """
    claims = dict.fromkeys(node.args[0] for expr in outputs for node in expr.walk() if _is_claim(node))
    parts = {part: 2**place for place, part in enumerate(dict.fromkeys(p for claim in claims for p in _parts(claim)))}
    if len(claims) < 2 or len(parts) > _MOST:
        return outputs
    bits = [Expr("if", (part, _number(bit), _number(0)), name="if") for part, bit in parts.items()]
    together = aggregate("bit_or", reduce(lambda left, right: call("|", left, right), bits))

    def replace_claim(node: Expr) -> Expr | None:
        if not _is_claim(node):
            return None
        wanted = sum(parts[part] for part in dict.fromkeys(_parts(node.args[0])))
        return call(">", call("&", together, _number(wanted)), _number(0))

    return tuple(expr.replace(replace_claim) for expr in outputs)


def _parts(claim: Expr) -> Iterator[Expr]:
    """The claims of which one must hold; NULL holds as little as FALSE does."""
    if claim.kind == "or":
        for each in claim.args:
            yield from _parts(each)
    elif claim.kind == "coalesce" and claim.args[1:] == (FALSE,):
        yield from _parts(claim.args[0])
    else:
        yield claim


def _number(value: int) -> Expr:
    return literal(value, "int")


def _is_claim(node: Expr) -> bool:
    return node.kind == "aggregate" and node.value in (SOME_ROW, SOME_POSSIBLE_ROW) and node.condition is None
