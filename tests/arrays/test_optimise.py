"""What to store: never over a budget, as good as trying everything, never worse than one strategy for all."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.arrays.optimise import Option, Problem, exact, greedy, singles, solve

WAYS = ("backward", "forward")
KINDS = ("black box", "map", "full one", "full many", "pay one")


@st.composite
def problems(draw: st.DrawFn, most_items: int = 4, most_kinds: int = 4) -> Problem:
    amounts = st.integers(0, 20)
    options = []
    for item in range(draw(st.integers(1, most_items))):
        for kind in KINDS[: draw(st.integers(1, most_kinds))]:
            disk, run = (0, 0) if kind == "black box" else (draw(amounts), draw(amounts))
            asking = {way: float(draw(amounts)) for way in WAYS}
            options.append(Option(str(item), kind, disk, run / 10, asking))
    items = {option.item for option in options}
    demand = {(item, way): float(draw(st.integers(0, 5))) for item in sorted(items) for way in WAYS}
    budgets = st.one_of(st.just(np.inf), st.integers(0, 60).map(float))
    return Problem(options, demand, draw(budgets), draw(budgets) / 10)


def tried(problem: Problem) -> float:
    """Every choice of one or more options for each operator."""
    sets = []
    for item in problem.items:
        own = problem.of(item)
        sets.append([list(some) for size in range(1, len(own) + 1) for some in combinations(own, size)])
    plans = ([option for part in parts for option in part] for parts in product(*sets))
    return min((problem.cost(plan) for plan in plans if problem.fits(plan)), default=np.inf)


def is_good(problem: Problem) -> None:
    found = solve(problem)
    assert found.disk <= problem.disk
    assert found.run <= problem.run + 1e-9
    assert {option.item for option in found.chosen} == set(problem.items)
    assert found.cost == pytest.approx(problem.cost(found.chosen))
    for _, plan in singles(problem):
        if problem.fits(plan):
            assert found.cost <= 1.05 * problem.cost(plan) + 1e-9
    by_hand = greedy(problem)
    assert by_hand is not None
    assert problem.fits(by_hand)


@settings(max_examples=120, deadline=None, derandomize=True)
@given(problems())
def test_budgets_hold_and_no_single_strategy_is_better(problem: Problem) -> None:
    is_good(problem)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(problems(most_items=3, most_kinds=3))
def test_it_is_as_good_as_trying_everything(problem: Problem) -> None:
    assert solve(problem).cost <= 1.01 * tried(problem) + 1e-6


@pytest.mark.long
@settings(max_examples=3000, deadline=None)
@given(problems(most_items=5, most_kinds=5))
def test_budgets_hold_and_no_single_strategy_is_better_many_times(problem: Problem) -> None:
    is_good(problem)


def test_two_strategies_are_kept_where_each_serves_a_direction() -> None:
    options = [
        Option("f", "black box", 0, 0, {"backward": 9, "forward": 9}),
        Option("f", "back", 5, 0, {"backward": 1, "forward": 8}),
        Option("f", "forth", 5, 0, {"backward": 8, "forward": 1}),
    ]
    demand = {("f", "backward"): 1.0, ("f", "forward"): 1.0}
    assert {each.kind for each in solve(Problem(options, demand, disk=10)).chosen} == {"back", "forth"}
    assert solve(Problem(options, demand, disk=9)).cost == 9
    assert [each.kind for each in solve(Problem(options, demand, disk=4)).chosen] == ["black box"]


def test_pins_hold_and_dominated_options_go() -> None:
    options = [
        Option("f", "good", 1, 0, {"backward": 1, "forward": 1}),
        Option("f", "bad", 2, 0, {"backward": 2, "forward": 2}),
    ]
    demand = {("f", "backward"): 1.0}
    assert [each.kind for each in solve(Problem(options, demand)).chosen] == ["good"]
    assert [each.kind for each in solve(Problem(options, demand, pins={"f": "bad"})).chosen] == ["bad"]
    over = solve(Problem(options, demand, disk=1, pins={"f": "bad"}))
    assert over.how.endswith("more than the budget")


def test_a_large_problem_is_solved_in_time() -> None:
    random = np.random.default_rng(0)
    options = [
        Option(
            str(item),
            str(kind),
            float(random.integers(0, 100)) * kind,
            float(random.random()) * kind,
            {way: float(random.random() * 10) for way in WAYS},
        )
        for item in range(100)
        for kind in range(8)
    ]
    demand = {(str(item), way): float(random.random()) for item in range(100) for way in WAYS}
    problem = Problem(options, demand, disk=5000, run=60)
    found = solve(problem, seconds=2)
    assert problem.fits(found.chosen)
    assert found.cost <= problem.cost(greedy(problem) or [])
    assert exact(Problem([], {})) == []
