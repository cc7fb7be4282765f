"""What is found, on tables whose truth is known; and what is refused."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from bench._synth import printed, synth
from whence.explain.aggregates.avg import Avg
from whence.explain.aggregates.count import Count
from whence.explain.aggregates.quantile import Quantile
from whence.explain.aggregates.sum import Sum
from whence.explain.answer import Answer
from whence.explain.attribute import ordered, unordered
from whence.explain.complaint import Complaint
from whence.explain.find import find
from whence.explain.influence import Scorer
from whence.explain.problem import Problem
from whence.explain.request import Request
from whence.explain.search.dt import dt
from whence.explain.search.mc import mc
from whence.explain.search.naive import naive
from whence.explain.search.settings import Settings

CASES = [(80.0, Sum()), (30.0, Avg())]


@pytest.mark.parametrize(("mean", "aggregate"), CASES, ids=["easy sum", "hard avg"])
def test_both_cubes_are_found_and_no_grid_search_does_better(mean: float, aggregate: Avg | Sum) -> None:
    table = synth(2, mean, seed=1, aggregate=aggregate)
    found = find(table.problem, Request())
    masks = [table.problem.mask(answer.box) for answer in found.items]
    assert max(table.f_score(mask, table.outer) for mask in masks) >= 0.996  # ends are known to one row in a thousand
    assert max(table.f_score(mask, table.inner) for mask in masks) >= 0.996
    grid = naive(Scorer(table.problem), Settings(cs=(0.0, 0.05, 0.1)))
    for c in (0.0, 0.05, 0.1):
        best = max(float(answer.parts.influence(c, 0.5)[0]) for answer in found.items)
        assert best >= float(grid.parts.influence(c, 0.5).max())


@pytest.mark.long
@pytest.mark.parametrize("dimensions", [2, 3, 4])
@pytest.mark.parametrize("mean", [80.0, 30.0], ids=["easy", "hard"])
@pytest.mark.parametrize("seed", range(11, 16))
def test_explain_finds_the_cubes_of_many_seeds(dimensions: int, mean: float, seed: int) -> None:
    for aggregate in (Avg(), Sum()):
        table = synth(dimensions, mean, seed, aggregate)
        masks = [table.problem.mask(answer.box) for answer in find(table.problem, Request()).items]
        assert max(table.f_score(mask, table.outer) for mask in masks) >= 0.97
        assert max(table.f_score(mask, table.inner) for mask in masks) >= 0.9


@pytest.mark.long
@pytest.mark.skipif("WHENCE_SHARED_DATA" not in os.environ, reason="WHENCE_SHARED_DATA names no folder")
@pytest.mark.parametrize("dimensions", [2, 3, 4])
@pytest.mark.parametrize("level", ["Easy", "Hard"])
def test_explain_finds_the_cubes_that_the_thesis_prints(dimensions: int, level: str) -> None:
    for aggregate in (Avg(), Sum()):
        table = printed(Path(os.environ["WHENCE_SHARED_DATA"]), dimensions, level, aggregate)
        masks = [table.problem.mask(answer.box) for answer in find(table.problem, Request()).items]
        assert max(table.f_score(mask, table.outer) for mask in masks) >= 0.97
        assert max(table.f_score(mask, table.inner) for mask in masks) >= 0.97


@pytest.mark.long
@pytest.mark.parametrize("seed", range(200, 240))
def test_explain_refuses_normal_groups_of_many_seeds(seed: int) -> None:
    random = np.random.default_rng(seed)
    owner = np.repeat(np.arange(12), 400)
    attributes = tuple(ordered(name, random.uniform(0, 1, len(owner))) for name in "xyz")
    values = (random.normal(10, 10, len(owner)),)
    for aggregate in (Avg(), Sum()):
        found = find(Problem(owner, values, aggregate, (Complaint("high"),) * 3, 9, attributes), Request())
        assert found.items == ()


def test_answers_shrink_as_c_grows() -> None:
    table = synth(2, 80.0, seed=2, aggregate=Avg())
    found = find(table.problem, Request())
    sober = [answer for answer in found.items if answer.c_range[1] > 0.1]
    sizes = [float(answer.parts.removed.sum()) for answer in sober]
    # A little more is taken only where natural edges were preferred within the error.
    assert all(later <= 1.2 * earlier for earlier, later in pairwise(sizes))
    assert sizes[-1] < 0.5 * sizes[0]


def test_dt_and_mc_find_the_outer_cube() -> None:
    table = synth(2, 80.0, seed=2, aggregate=Avg(), rows=500)
    for method in (dt, mc):
        archive = method(Scorer(table.problem), Settings(cs=(0.2, 0.35)))
        best = archive.boxes[archive.winner(0.2, 0.5)]
        assert table.f_score(table.problem.mask(best), table.outer) > 0.85


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("aggregate", [Avg(), Sum()], ids=["avg", "sum"])
def test_normal_groups_picked_at_random_get_no_explanation(seed: int, aggregate: Avg | Sum) -> None:
    random = np.random.default_rng(100 + seed)
    rows, groups = 4800, 12
    owner = np.repeat(np.arange(groups), rows // groups)
    attributes = (
        ordered("x", random.uniform(0, 1, rows)),
        unordered("s", random.choice(list("abcdef"), rows).tolist()),
    )
    values = (random.normal(10, 10, rows),)
    found = find(Problem(owner, values, aggregate, (Complaint("high"),) * 3, groups - 3, attributes), Request())
    assert found.items == ()
    assert "Nothing systematic" in found.reason


def test_what_beats_chance_but_does_more_harm_than_good_is_refused() -> None:
    table = synth(4, 30.0, seed=1, aggregate=Sum())
    assert find(table.problem, Request(c=0.1)).items
    assert find(table.problem, Request(c=0.35)).items == ()


def _table(odd: np.ndarray, x: np.ndarray, y: np.ndarray, lift: np.ndarray, seed: int = 0) -> Problem:
    """Four groups on a plane, the first one odd where it is said to be."""
    random = np.random.default_rng(seed)
    owner = np.repeat(np.arange(4), len(x) // 4)
    values = random.normal(10, 2, len(x)) + np.where(odd & (owner == 0), lift, 0.0)
    return Problem(owner, (values,), Avg(), (Complaint("high"),), 3, (ordered("x", x), ordered("y", y)))


def _plane(seed: int = 5, rows: int = 4000) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    return random.uniform(0, 100, rows), random.uniform(0, 100, rows)


def test_a_ring_that_cancels_its_centre_does_not_hide_the_centre() -> None:
    x, y = _plane()
    distance = np.hypot(x - 50, y - 50)
    centre, ring = distance < 15, (distance >= 15) & (distance < 21.2)
    problem = _table(centre | ring, x, y, np.where(centre, 40.0, -30.0))
    best = find(problem, Request()).items[0]
    taken = problem.mask(best.box)[:1000]
    assert taken[centre[:1000]].mean() > 0.8
    assert taken[ring[:1000]].mean() < 0.6


def test_a_checkerboard_is_told_by_two_attributes_together() -> None:
    x, y = _plane()
    board = ((x > 50) ^ (y > 50)).astype(bool)
    problem = _table(np.ones_like(board), x, y, np.where(board, 20.0, -20.0))
    best = find(problem, Request()).items[0]
    taken = problem.mask(best.box)[:1000]
    assert len(best.box) == 2
    assert board[:1000][taken].mean() > 0.95


def test_neighbours_that_cancel_each_other_are_told_apart() -> None:
    x, y = _plane()
    problem = _table((x > 30) & (x < 70), x, y, np.where(x < 50, 30.0, -30.0))
    masks = [problem.mask(answer.box)[:1000] for answer in find(problem, Request()).items]
    truth = ((x > 30) & (x < 50))[:1000]
    assert max(2 * (mask & truth).sum() / (mask.sum() + truth.sum()) for mask in masks) > 0.95


def test_two_clusters_are_both_among_the_answers() -> None:
    x, y = _plane(rows=8000)
    one, other = (x < 20) & (y < 20), (x > 70) & (y > 70)
    problem = _table(one | other, x, y, np.full(len(x), 60.0))
    masks = [problem.mask(answer.box)[:2000] for answer in find(problem, Request(top=20)).items]
    for truth in (one[:2000], other[:2000]):
        assert max(2 * (mask & truth).sum() / (mask.sum() + truth.sum()) for mask in masks) > 0.9


def test_errors_of_different_direction_have_one_explanation() -> None:
    random = np.random.default_rng(3)
    owner = np.repeat(np.arange(6), 300)
    sensor = random.integers(1, 6, len(owner))
    values = random.normal(20, 1, len(owner))
    values[(owner == 0) & (sensor == 3)] += 30
    values[(owner == 1) & (sensor == 3)] -= 30
    values[(owner == 2) & (sensor == 3)] += 25
    complaints = (Complaint("high"), Complaint("low"), Complaint("expected", 20.0))
    problem = Problem(owner, (values,), Avg(), complaints, 3, (unordered("sensor", sensor.tolist()),))
    assert find(problem, Request()).items[0].predicate.sql == "sensor = 3"


def test_missing_rows_are_named_as_missing() -> None:
    states = ["CA"] * 40 + ["MA"] * 40 + ["WA"] * 20
    rows = [(group, state) for group in range(5) for state in states if not (group == 0 and state == "MA")]
    owner = np.array([group for group, _ in rows])
    attribute = unordered("state", [state for _, state in rows])
    problem = Problem(owner, (np.ones(len(rows)),), Count(), (Complaint("low"),), 4, (attribute,))
    found = find(problem, Request())
    assert found.items == ()
    assert found.reason.startswith("Rows seem to be missing")
    assert "state is MA there are 0 rows behind an outlier against 40" in found.reason


def test_null_is_a_value_and_sets_of_values_are_found() -> None:
    random = np.random.default_rng(8)
    owner = np.repeat(np.arange(5), 400)
    states = random.choice(np.array(["CA", "MA", "WA", "TX", None], dtype=object), len(owner))
    weight = np.where(random.random(len(owner)) < 0.2, np.nan, random.uniform(0, 10, len(owner)))
    odd = (owner == 0) & ((states == "MA") | (states == None)) & np.isnan(weight)  # noqa: E711 - an array of objects
    values = random.normal(5, 1, len(owner)) + 50 * odd
    attributes = (unordered("state", states.tolist()), ordered("weight", weight))
    found = find(Problem(owner, (values,), Avg(), (Complaint("high"),), 4, attributes), Request())
    told = [answer.predicate.sql for answer in found.items]
    assert any("OR state IS NULL" in sql and "'MA'" in sql and "weight IS NULL" in sql for sql in told), told


def test_a_median_is_explained_though_rows_cannot_be_taken_out_of_it() -> None:
    random = np.random.default_rng(4)
    owner = np.repeat(np.arange(4), 500)
    shop = random.integers(0, 5, len(owner))
    values = random.normal(10, 1, len(owner))
    many = (owner == 0) & (shop >= 2)
    values[many] += 30
    problem = Problem(owner, (values,), Quantile(0.5), (Complaint("high"),), 3, (unordered("shop", shop.tolist()),))
    taken = problem.mask(find(problem, Request(c=0.05)).items[0].box)
    assert (taken & many).sum() / many.sum() > 0.6
    assert not (taken & ~many & (owner == 0)).any()


def test_partial_answers_come_and_a_stop_keeps_the_best_so_far() -> None:
    table = synth(3, 80.0, seed=4, aggregate=Avg(), rows=400)
    told: list[list[Answer]] = []

    def stop_at_once(answers: list[Answer]) -> bool:
        told.append(answers)
        return True

    found = find(table.problem, Request(partial=stop_at_once))
    assert told[0]
    assert found.items
    assert not found.is_complete


def test_a_sample_is_searched_and_its_answers_are_scored_on_all_rows() -> None:
    table = synth(2, 80.0, seed=6, aggregate=Sum(), rows=8000)
    found = find(table.problem, Request())
    masks = [table.problem.mask(answer.box) for answer in found.items]
    assert max(table.f_score(mask, table.outer) for mask in masks) >= 0.97
    exact = Scorer(table.problem)
    for answer, mask in zip(found.items, masks, strict=True):
        assert float(exact.of_mask(mask).influence(0.1, 0.5)[0]) == pytest.approx(
            float(answer.parts.influence(0.1, 0.5)[0])
        )
