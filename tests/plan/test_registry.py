"""Promises that every operator of the registry keeps."""

from __future__ import annotations

import pytest

from whence.plan.step import Operator
from whence.plan.steps.registry import OPERATORS


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.__name__)
def test_an_operator_says_what_its_rules_do(operator: type[Operator]) -> None:
    assert operator.lineage_rule
    assert operator.caveat_rule
    assert operator.repeatable in ("always", "never", "if the order is total")
    assert operator.read_from
    assert operator.__doc__
