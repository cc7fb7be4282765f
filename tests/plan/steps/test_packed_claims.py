"""Claims about the rows of a group as bits of one number."""

from __future__ import annotations

from whence.plan.expr import Column, Expr, aggregate, alias, all_of, call, literal, negate, ref, some_row
from whence.plan.steps.packed_claims import pack_claims

A, B, C = (ref(Column(-number, f"m{number}", "boolean")) for number in (1, 2, 3))
SUM, ONE, TWO, BOTH = (Column(number, f"c{number}", "boolean") for number in range(4))


def bit(claim: Expr, value: int) -> Expr:
    return Expr("if", (claim, literal(value, "int"), literal(0, "int")), name="if")


def test_each_claim_is_a_bit_of_one_aggregate() -> None:
    total = alias(aggregate("sum", A), SUM)
    outputs = (
        total,
        alias(some_row(A), ONE),
        alias(negate(some_row(B)), TWO),
        alias(all_of(some_row(A), some_row(B)), BOTH),
    )
    together = aggregate("bit_or", call("|", bit(A, 1), bit(B, 2)))
    first, second = (
        Expr("coalesce", (call(">", call("&", together, literal(mask, "int")), literal(0, "int")), literal_false()))
        for mask in (1, 2)
    )
    made = pack_claims(outputs)
    assert made[0] == total
    assert [expr.args[0].args[0] for expr in made[1:2]] == [first.args[0]]
    assert made[2].args[0].args[0].args[0] == second.args[0]
    aggregates = {node for expr in made[1:] for node in expr.walk() if node.kind == "aggregate"}
    assert aggregates == {together}


def literal_false() -> Expr:
    return Expr("literal", value=False, type="boolean")


def test_a_single_claim_and_more_than_fit_are_left_alone() -> None:
    one = (alias(some_row(A), ONE), alias(some_row(A), TWO))
    assert pack_claims(one) == one
    many = tuple(alias(some_row(call("=", C, literal(n, "int"))), Column(n, f"c{n}", "boolean")) for n in range(30))
    assert pack_claims(many) == many
