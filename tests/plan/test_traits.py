"""Each concrete step states every fact about itself, and no two levels of steps inherit from each other."""

from __future__ import annotations

from dataclasses import MISSING, fields

import pytest

from tests.plan.step_classes import operator_classes, step_classes
from whence.plan.pass_through import PassesRowsThrough
from whence.plan.step import Operator, Step
from whence.plan.steps.redistribute import Redistribute
from whence.plan.steps.registry import OPERATORS
from whence.plan.steps.repartition import Repartition
from whence.plan.traits import Traits


def test_every_registered_operator_is_looked_at() -> None:
    assert set(OPERATORS) <= set(operator_classes())


@pytest.mark.parametrize("step", step_classes(), ids=lambda step: step.__name__)
def test_a_step_states_its_own_traits(step: type[Step]) -> None:
    assert isinstance(step.__dict__.get("traits"), Traits)


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.__name__)
def test_a_registered_operator_states_its_traits_or_is_read_as_steps_that_do(operator: type[Operator]) -> None:
    is_read_as_others = not issubclass(operator, Step) and "read" in operator.__dict__
    assert isinstance(operator.__dict__.get("traits"), Traits) or is_read_as_others


@pytest.mark.parametrize("operator", operator_classes(), ids=lambda operator: operator.__name__)
def test_an_operator_states_itself_whether_it_repeats(operator: type[Operator]) -> None:
    assert "repeatable" in operator.__dict__


@pytest.mark.parametrize("operator", operator_classes(), ids=lambda operator: operator.__name__)
def test_nothing_stands_between_a_step_and_its_base(operator: type[Operator]) -> None:
    assert set(operator.__bases__) & {Step, Operator}
    assert not [base for base in operator.__mro__[1:] if base in operator_classes()]


@pytest.mark.parametrize("step", step_classes(), ids=lambda step: step.__name__)
def test_a_step_that_passes_rows_through_has_the_mixin_for_it(step: type[Step]) -> None:
    assert issubclass(step, PassesRowsThrough) == step.traits.passes_through


def test_the_mixin_is_no_step() -> None:
    assert not issubclass(PassesRowsThrough, Operator)
    assert not hasattr(PassesRowsThrough, "traits")


def test_no_trait_has_a_default() -> None:
    assert all(each.default is MISSING and each.default_factory is MISSING and each.kw_only for each in fields(Traits))


def test_both_ways_to_spread_rows_have_the_same_traits() -> None:
    assert Redistribute.traits == Repartition.traits


@pytest.mark.parametrize("step", step_classes(), ids=lambda step: step.__name__)
def test_traits_do_not_contradict_each_other(step: type[Step]) -> None:
    traits = step.traits
    assert traits.keeps_rows or not traits.passes_through
    assert not (traits.keeps_rows and traits.groups_rows)
    assert traits.groups_rows or not traits.computes_measures
