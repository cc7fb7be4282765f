"""Promises that every operator of the registry keeps."""

from __future__ import annotations

import pytest

from whence.plan.step import Operator
from whence.plan.steps.registry import OPERATORS
from whence.plan.steps.without_rules import WITHOUT_RULES


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.__name__)
def test_an_operator_says_what_its_rules_do(operator: type[Operator]) -> None:
    assert operator.lineage_rule
    assert operator.caveat_rule
    assert operator.repeatable in ("always", "never", "if the order is total")
    assert operator.read_from
    assert operator.__doc__


def test_nine_operators_of_ten_are_exact() -> None:
    exact = sum(bool(operator.lineage_rule) for operator in OPERATORS)
    assert exact >= 0.9 * (exact + len(WITHOUT_RULES))
