"""Values that users say ought to be another: what is found with hold-outs beside them, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from whence.explain.aggregates.aggregate import Aggregate
from whence.explain.aggregates.avg import Avg
from whence.explain.aggregates.count import Count
from whence.explain.aggregates.sum import Sum
from whence.explain.attribute import unordered
from whence.explain.complaint import Complaint
from whence.explain.find import find
from whence.explain.influence import Scorer
from whence.explain.problem import Problem
from whence.explain.request import Request

STATES = np.array(["AZ", "CA", "FL", "MA", "MI", "NY", "TX", "WA"])
ODD, FINE = 4, 6


def _sales(aggregate: Aggregate, complaints: tuple[Complaint, ...]) -> Problem:
    """Days of sales as in the study of DBWipes: those of MA and WA rise further on each of the odd days, which come
    first."""
    random = np.random.default_rng(3)
    owner = np.repeat(np.arange(ODD + FINE), 600)
    state, gender = random.choice(STATES, len(owner)), random.choice(["F", "M"], len(owner))
    values = random.normal(50, 10, len(owner))
    raised = np.isin(state, ["MA", "WA"]) & (owner < ODD)
    values[raised] += 100.0 * (1 + owner[raised])
    attributes = (unordered("state", state.tolist()), unordered("gender", gender.tolist()))
    return Problem(owner, (values,), aggregate, complaints, FINE, attributes)


def _before(aggregate: Aggregate) -> np.ndarray:
    return Scorer(_sales(aggregate, (Complaint("high"),) * ODD), is_light=True).before


@pytest.mark.parametrize("aggregate", [Avg(), Sum()], ids=["avg", "sum"])
def test_expected_values_beside_holdouts_find_the_true_states(aggregate: Aggregate) -> None:
    before = _before(aggregate)
    usual = float(before[ODD:].mean())
    found = find(_sales(aggregate, (Complaint("expected", usual),) * ODD), Request())
    first = found.items[0]
    assert first.predicate.sql.startswith("state IN ('MA', 'WA')")
    away = [np.abs(values[:ODD] - usual) for values in (before, first.after)]
    assert away[1].mean() < 0.5 * away[0].mean()


def test_a_value_that_is_as_expected_needs_no_explanation() -> None:
    before = _before(Sum())
    found = find(_sales(Sum(), tuple(Complaint("expected", float(value)) for value in before[:ODD])), Request())
    assert found.items == ()
    assert "no predicate improves the outliers" in found.reason


def test_an_expected_value_weighs_as_much_as_one_that_is_too_high() -> None:
    usual = float(_before(Avg())[ODD:].mean())
    mixed = (Complaint("high"), Complaint("expected", usual)) * 2
    assert find(_sales(Avg(), mixed), Request()).items[0].predicate.sql == "state IN ('MA', 'WA')"
    after = np.array([usual])
    assert Complaint("expected", usual).improvement(80.0, after) == Complaint("high").improvement(80.0, after)


def test_the_improvement_of_an_expected_value_is_that_of_the_thesis_in_other_units() -> None:
    random = np.random.default_rng(5)
    for expected, before, after in random.normal(0, 50, (200, 3)):
        thesis = 1 - (1 + abs(expected - after)) / (1 + abs(expected - before))
        ours = Complaint("expected", expected).improvement(before, np.array([after]))[0]
        assert ours == pytest.approx(thesis * (1 + abs(expected - before)))


def test_an_expected_count_that_rows_are_missing_for_is_said_to_lack_them() -> None:
    rows = [(group, state) for group in range(5) for state in ["CA"] * 40 + ["MA"] * 40 if group or state == "CA"]
    owner, state = np.array([group for group, _ in rows]), unordered("state", [state for _, state in rows])
    problem = Problem(owner, (np.ones(len(rows)),), Count(), (Complaint("expected", 80.0),), 4, (state,))
    assert "state is MA there are 0 rows behind an outlier against 40" in find(problem, Request()).reason
