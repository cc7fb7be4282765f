"""The few single rows behind an odd value, against every set of rows of small random tables."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest

from tests.explain.definition import AGGREGATES
from whence.explain.aggregates.aggregate import Aggregate
from whence.explain.aggregates.avg import Avg
from whence.explain.aggregates.extreme import Max
from whence.explain.aggregates.sum import Sum
from whence.explain.complaint import Complaint
from whence.explain.few_rows import few_rows
from whence.explain.influence import Scorer
from whence.explain.problem import Problem

CASES = 120


def _problem(aggregate: Aggregate, groups: list[list[float]], complaint: Complaint) -> Problem:
    owner = np.repeat(np.arange(len(groups)), [len(each) for each in groups])
    column = np.array([value for group in groups for value in group])
    return Problem(owner, (column,), aggregate, (complaint,), len(groups) - 1, ())


def _is_back(value: float, before: float, complaint: Complaint, fine: list[float]) -> bool:
    """The definition, word by word."""
    if complaint.kind == "expected":
        return abs(value - complaint.expected) <= abs(before - complaint.expected) / 4
    middle = float(np.median(fine))
    left, was = abs(value - middle), abs(before - middle)
    return left <= was / 2 and (left <= was / 4 or left <= max(abs(each - middle) for each in fine))


def _fewest(value_of: Callable[[list[float]], float], groups: list[list[float]], complaint: Complaint) -> int | None:
    """How many rows the smallest set has that brings the first group back; all sets are tried."""
    before, fine = value_of(groups[0]), [value_of(each) for each in groups[1:]]
    if _is_back(before, before, complaint, fine):
        return None
    for count in range(1, 5):
        for gone in combinations(range(len(groups[0])), count):
            kept = [each for place, each in enumerate(groups[0]) if place not in gone]
            if _is_back(value_of(kept), before, complaint, fine):
                return count
    return None


@pytest.mark.parametrize(("aggregate", "name"), [(Sum(), "sum"), (Avg(), "avg"), (Max(), "max")])
def test_no_smaller_set_of_rows_brings_the_value_back(aggregate: Aggregate, name: str) -> None:
    def value_of(values: list[float]) -> float:
        return AGGREGATES[name]([(value,) for value in values])

    chance = random.Random(11)
    sizes = []
    for _ in range(CASES):
        groups = [[round(chance.gauss(10, 4), 1) for _ in range(chance.randint(6, 11))] for _ in range(4)]
        for place in range(chance.randint(0, 3)):
            groups[0][place] += chance.choice([-1, 1]) * chance.uniform(20, 300)
        complaint = chance.choice([Complaint("high"), Complaint("low"), Complaint("expected", 20.0)])
        problem = _problem(aggregate, groups, complaint)
        found = few_rows(problem, Scorer(problem).before, most=4, share=1)
        fewest = _fewest(value_of, groups, complaint)
        assert (None if found is None else len(found.places)) == fewest, (groups, complaint)
        if found is not None:
            kept = [each for place, each in enumerate(groups[0]) if place not in found.places]
            assert found.after[0] == pytest.approx(value_of(kept))
            fine = [value_of(each) for each in groups[1:]]
            assert _is_back(value_of(kept), value_of(groups[0]), complaint, fine)
        sizes.append(fewest)
    assert {None, 1, 2} <= set(sizes)


def test_rows_are_few_only_among_many() -> None:
    groups = [[1.0] * 40 + [900.0], [1.0] * 41, [1.0] * 41]
    problem = _problem(Sum(), groups, Complaint("high"))
    assert few_rows(problem, Scorer(problem).before) is None
    groups = [[1.0] * 120 + [900.0], [1.0] * 121, [1.0] * 121]
    problem = _problem(Sum(), groups, Complaint("high"))
    found = few_rows(problem, Scorer(problem).before)
    assert found is not None
    assert found.places.tolist() == [120]


def test_a_count_is_never_a_matter_of_few_rows() -> None:
    groups = [[1.0] * 500, [1.0] * 100, [1.0] * 100]
    problem = _problem(Sum(), groups, Complaint("high"))
    assert few_rows(problem, Scorer(problem).before) is None
