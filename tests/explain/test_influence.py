"""The scorer against the definition, on random tables with NULLs, for every aggregate and every kind of complaint."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.explain import definition
from whence.explain.aggregates.aggregate import Aggregate
from whence.explain.aggregates.arithmetic import Leaf, arithmetic
from whence.explain.aggregates.avg import Avg
from whence.explain.aggregates.black_box import BlackBox
from whence.explain.aggregates.corr import Corr
from whence.explain.aggregates.count import Count
from whence.explain.aggregates.count_distinct import CountDistinct
from whence.explain.aggregates.extreme import Max, Min
from whence.explain.aggregates.mode import Mode
from whence.explain.aggregates.quantile import Quantile
from whence.explain.aggregates.stddev import StdDev
from whence.explain.aggregates.sum import Sum
from whence.explain.aggregates.variance import Variance
from whence.explain.complaint import Complaint
from whence.explain.influence import Scorer
from whence.explain.problem import Problem

CASES = 60


def _cubes(values: np.ndarray) -> float:
    known = values[~np.isnan(values)]
    return math.fsum(known**3) if len(known) else math.nan


AGGREGATES: dict[str, Aggregate] = {
    "count": Count(),
    "sum": Sum(),
    "avg": Avg(),
    "variance": Variance(1),
    "population variance": Variance(0),
    "stddev": StdDev(1),
    "population stddev": StdDev(0),
    "min": Min(),
    "max": Max(),
    "median": Quantile(0.5),
    "quantile": Quantile(0.9),
    "mode": Mode(),
    "count distinct": CountDistinct(),
    "corr": Corr(),
    "ratio of sums": arithmetic(
        [Leaf(Sum(), (0,)), Leaf(Sum(), (1,))],
        lambda v: np.where(v[1] == 0, np.nan, v[0] / np.where(v[1] == 0, 1, v[1])),
    ),
    "black box": BlackBox(_cubes),
}


def random_case(name: str, random: np.random.Generator) -> tuple[Problem, np.ndarray]:
    groups = int(random.integers(2, 6))
    outliers = int(random.integers(1, groups))
    sizes = random.integers(3, 12, groups)
    owner = np.repeat(np.arange(groups), sizes)
    rows = len(owner)
    columns = []
    for _ in range(2):
        values = random.choice([random.normal(1e3, 50, rows), random.integers(-3, 4, rows).astype(float)])
        columns.append(np.where(random.random(rows) < 0.15, np.nan, values))
    kinds = random.choice(["high", "low", "wrong", "expected"], outliers)
    complaints = tuple(Complaint(kind, float(random.normal(0, 10))) for kind in kinds)
    needs_two = name in ("corr", "ratio of sums")
    problem = Problem(
        owner, tuple(columns) if needs_two else (columns[0],), AGGREGATES[name], complaints, groups - outliers, ()
    )
    share = random.choice([0.1, 0.5, 0.9])
    taken = random.random(rows) < share
    if random.random() < 0.2:  # whole groups go, sometimes all
        taken = np.isin(owner, random.choice(groups, int(random.integers(1, groups + 1)), replace=False))
    return problem, taken


def by_definition(name: str, problem: Problem, taken: np.ndarray, c: float, lam: float) -> float:
    def rows(group: int) -> tuple[list[tuple[float | None, ...]], list[bool]]:
        inside = np.flatnonzero(problem.owner == group)
        values = [
            tuple(None if math.isnan(each[row]) else float(each[row]) for each in problem.columns) for row in inside
        ]
        return values, taken[inside].tolist()

    outliers = [(*rows(number), each.kind, each.expected) for number, each in enumerate(problem.complaints)]
    holdouts = [rows(group) for group in range(problem.outliers, problem.groups)]
    return definition.influence(name, outliers, holdouts, c, lam)


def has_values(name: str, problem: Problem) -> bool:
    """A marked value that is NULL is refused long before it is scored."""
    values = [
        definition.AGGREGATES[name](
            [
                tuple(None if math.isnan(c[row]) else float(c[row]) for c in problem.columns)
                for row in np.flatnonzero(problem.owner == g)
            ]
        )
        for g in range(problem.groups)
    ]
    return not any(math.isnan(value) for value in values)


@pytest.mark.parametrize("name", list(AGGREGATES))
def test_scorer_equals_the_definition(name: str) -> None:
    random = np.random.default_rng(11)
    compared = 0
    for _ in range(CASES):
        problem, taken = random_case(name, random)
        if not has_values(name, problem):
            continue
        scorer = Scorer(problem)
        for c in (0.0, 0.3, 1.0):
            lam = float(random.random())
            expected = by_definition(name, problem, taken, c, lam)
            got = float(scorer.of_mask(taken).influence(c, lam)[0])
            assert got == pytest.approx(expected, rel=1e-9, abs=1e-9), (problem, taken, c, lam)
            compared += 1
    assert compared > CASES


def test_a_predicate_that_takes_every_row_is_never_an_answer() -> None:
    problem = Problem(np.array([0, 0, 1]), (np.array([1.0, 2.0, 3.0]),), Sum(), (Complaint("high"),), 1, ())
    assert Scorer(problem).of_mask(np.ones(3, dtype=bool)).influence(0.0, 0.5)[0] == -np.inf


def test_only_sums_and_counts_may_empty_a_group() -> None:
    owner, values = np.array([0, 0, 1, 1]), np.array([5.0, 5.0, 1.0, 1.0])
    whole_outlier = np.array([True, True, False, False])
    for aggregate, expected in ((Sum(), 5.0), (Count(), 1.0), (Avg(), -np.inf), (Max(), -np.inf)):
        problem = Problem(owner, (values,), aggregate, (Complaint("high"),), 1, ())
        assert Scorer(problem).of_mask(whole_outlier).influence(0.0, 0.5)[0] == expected


def test_anti_monotonicity_is_looked_up_in_the_data() -> None:
    positive, mixed = (np.array([1.0, 2.0]),), (np.array([1.0, -2.0]),)
    assert Sum().is_anti_monotone(positive, "high")
    assert not Sum().is_anti_monotone(mixed, "high")
    assert not Sum().is_anti_monotone(positive, "low")
    assert Max().is_anti_monotone(mixed, "high")
    assert not Avg().is_anti_monotone(positive, "high")
