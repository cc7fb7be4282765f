"""Many questions whether some row of a group is so, asked as one: a bit for each in one number of the group."""

from __future__ import annotations

from whence.plan.expr import SOME, Expr, aggregate, call, literal

_MOST = 24
"""Claims that share a number; each output that asks for one names them all, and Spark computes them once."""


def packed(outputs: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """The outputs of a group-by, with one aggregate for all claims: `max(a), max(b)` are bits of `bit_or(a | 2 * b)`.

    Spark keeps and updates a value for every aggregate and every group, and each costs as much as a sum.
    """
    claims = tuple(dict.fromkeys(node.args[0] for expr in outputs for node in expr.walk() if _is_claim(node)))
    if not 2 <= len(claims) <= _MOST:
        return outputs
    number = literal(0, "int")
    for place, claim in enumerate(claims):
        bit = Expr("if", (claim, literal(2**place, "int"), literal(0, "int")), name="if")
        number = bit if place == 0 else call("|", number, bit)
    together = aggregate("bit_or", number)
    bits = {claim: literal(2**place, "int") for place, claim in enumerate(claims)}

    def asked(node: Expr) -> Expr | None:
        return call(">", call("&", together, bits[node.args[0]]), literal(0, "int")) if _is_claim(node) else None

    return tuple(expr.replace(asked) for expr in outputs)


def _is_claim(node: Expr) -> bool:
    return node.kind == "aggregate" and node.value == SOME and node.condition is None
