"""Rows in Spark against the same rows in memory and against the definition; what is found when a sample is read."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest

import whence
from tests.explain import definition
from whence.explain import fetch as fetching
from whence.explain.attribute import Attribute, Choice, Clause, Span, ordered, unordered
from whence.explain.complaint import Complaint
from whence.explain.distributed import spark_problem as rows_in_spark
from whence.explain.distributed.cells import Coarse, coarsened, finer
from whence.explain.distributed.spark_problem import SparkProblem
from whence.explain.fetch import FetchedProblem, MarkedRows, fetch
from whence.explain.influence import Parts, Scorer
from whence.explain.problem import Box, Problem
from whence.explain.sample import sample_places
from whence.explain.search.histograms import Histograms

SCHEMA = "g int, s string, n int, x double, at timestamp_ntz, v double, w double"

REMOVABLE = {
    "count(v)": "count",
    "sum(v)": "sum",
    "avg(v)": "avg",
    "stddev(v)": "stddev",
    "corr(v, w)": "corr",
    "sum(v) / sum(w)": "ratio of sums",
}
BY_DEFINITION = {
    "max(v)": "max",
    "median(v)": "median",
    "min(v)": "min",
    "count(distinct n)": "count distinct",
    "percentile(v, 0.9)": "quantile",
}
FEW = ["stddev(v)", "sum(v) / sum(w)", "count(distinct n)"]
MEASURES = {"corr": ("v", "w"), "ratio of sums": ("v", "w"), "count distinct": ("n",)}


def _table(seed: int, rows: int) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    start = pd.Timestamp("2024-02-01")
    frame = pd.DataFrame(
        {
            "g": random.integers(0, 6, rows),
            "s": random.choice(np.array(["a", "b", "c", "d", None]), rows),
            "n": random.integers(0, 40, rows),
            "x": np.round(random.normal(0, 5, rows), 2),
            "at": start + pd.to_timedelta(random.integers(0, 90 * 24 * 60, rows), unit="min"),
            "v": np.round(random.normal(1e3, 3, rows), 3),
            "w": np.round(random.uniform(1, 2, rows), 3),
        }
    )
    frame.loc[random.random(rows) < 0.1, "x"] = None
    frame.loc[random.random(rows) < 0.1, "v"] = None
    return frame


def _fetched(
    ws: whence.Workspace, dataset: whence.Dataset, column: str, monkeypatch: pytest.MonkeyPatch
) -> FetchedProblem:
    complaints = {0: Complaint("high"), 1: Complaint("low"), 2: Complaint("expected", 3.0)}
    marked = MarkedRows(complaints, [3, 4, 5])
    context = ws._context
    near = fetch(context.store, context.readers.edges, context.engine, dataset.record, column, marked)
    assert near.spark_problem is None
    with monkeypatch.context() as patch:
        patch.setattr(fetching, "IN_MEMORY", 0)
        spark_problem = fetch(
            context.store, context.readers.edges, context.engine, dataset.record, column, marked
        ).spark_problem
    assert spark_problem is not None
    return FetchedProblem(
        near.problem, near.input, near.rids, near.marked, near.left_out, near.foreign, near.measure, spark_problem
    )


def _boxes(problem: Problem, random: np.random.Generator, count: int) -> list[Box]:
    return [_box(problem, random) for _ in range(count)]


def _box(problem: Problem, random: np.random.Generator) -> Box:
    numbers = sorted(random.choice(len(problem.attributes), int(random.integers(1, 4)), replace=False).tolist())
    return tuple((number, _clause(problem.attributes[number], random)) for number in numbers)


def _clause(attribute: Attribute, random: np.random.Generator) -> Clause:
    if attribute.nulls is not None and random.random() < 0.2:
        return attribute.nulls
    if attribute.is_ordered:
        low, high = sorted(random.choice(attribute.size + 1, 2, replace=False).tolist())
        if attribute.is_cyclic and low > 0 and high < attribute.size and random.random() < 0.5:
            return Span(high, low)
        return Span(low, high)
    chosen = random.choice(attribute.size, int(random.integers(1, attribute.size)), replace=False)
    return Choice(tuple(sorted(chosen.tolist())))


def _by_definition(name: str, fetched: FetchedProblem, table: pd.DataFrame, box: Box, c: float, lam: float) -> float:
    problem = fetched.problem
    taken = problem.mask(box)
    groups = []
    for group in range(problem.groups):
        rids = fetched.rids[problem.offsets[group] : problem.offsets[group + 1]]
        own = table.iloc[rids][list(MEASURES.get(name, ("v",)))]
        assert set(table.iloc[rids].g) == {group}
        rows = [
            tuple(None if pd.isna(value) else float(value) for value in line) for line in own.itertuples(index=False)
        ]
        groups.append((rows, taken[problem.offsets[group] : problem.offsets[group + 1]].tolist()))
    outliers = [
        (*group, complaint.kind, complaint.expected)
        for group, complaint in zip(groups, problem.complaints, strict=False)
    ]
    return definition.influence(name, outliers, groups[problem.outliers :], c, lam)


def _same(one: Parts, other: Parts) -> None:
    for c, lam in ((0.0, 0.5), (0.3, 0.2), (1.0, 0.8)):
        np.testing.assert_allclose(one.influence(c, lam), other.influence(c, lam), rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(one.sober(c, lam), other.sober(c, lam), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(
    "texts", [FEW, pytest.param([*REMOVABLE, *BY_DEFINITION], marks=pytest.mark.long)], ids=["few", "explain all"]
)
def test_rows_in_spark_score_as_rows_in_memory_and_as_the_definition(
    ws: whence.Workspace, monkeypatch: pytest.MonkeyPatch, texts: list[str]
) -> None:
    table = _table(1, 1500)
    ws.create("t", table, schema=SCHEMA)
    names = {f"a{number}": text for number, text in enumerate(texts)}
    listed = ", ".join(f"{text} as {name}" for name, text in names.items())
    dataset = ws.sql(f"select g, {listed} from t group by g order by g", name="d")
    random = np.random.default_rng(2)
    for column, text in names.items():
        fetched = _fetched(ws, dataset, column, monkeypatch)
        problem, spark_problem = fetched.problem, fetched.spark_problem
        assert spark_problem is not None
        boxes = list(dict.fromkeys(_boxes(problem, random, 12)))
        parts, after = spark_problem.scored(boxes)
        near = Scorer(problem)
        for place, box in enumerate(boxes):
            exact, values = near.exact(box)
            np.testing.assert_allclose(after[place], values, rtol=1e-9, atol=1e-9, err_msg=text)
            _same(parts.take([place]), exact)
            for c, lam in ((0.0, 0.5), (0.4, 0.3)):
                name = REMOVABLE.get(text) or BY_DEFINITION[text]
                expected = _by_definition(name, fetched, table, box, c, lam)
                assert float(parts.influence(c, lam)[place]) == pytest.approx(expected, rel=1e-9, abs=1e-9), text
        if text == "stddev(v)":
            _check_passes(problem, spark_problem, near, boxes, fetched)


def _check_passes(
    problem: Problem, spark_problem: SparkProblem, near: Scorer, boxes: list[Box], fetched: FetchedProblem
) -> None:
    """Bins, sums over bins, cells, and the rows that a predicate names."""
    for mine, theirs in zip(spark_problem.problem.attributes, problem.attributes, strict=True):
        assert (mine.label, mine.size, mine.is_whole, mine.has_nulls) == (
            theirs.label, theirs.size, theirs.is_whole, theirs.has_nulls,
        )  # fmt: skip
        np.testing.assert_array_equal(mine.lows, theirs.lows)
        np.testing.assert_array_equal(mine.highs, theirs.highs)
    pairs = [(box[1:], box[0][0]) for box in boxes]
    sums = spark_problem.bin_sums(pairs)
    for box, number in pairs:
        rows = np.flatnonzero(problem.mask(box))
        expected = Histograms(near, problem.attributes[number]).sums(rows)
        # States depend on the centre.
        np.testing.assert_allclose(sums[box, number][..., :2], expected[..., :2], rtol=1e-6, atol=1e-9)
    chosen = [Coarse(each, np.arange(each.size)).halved().halved() for each in spark_problem.problem.attributes]
    cells = spark_problem.cells(chosen)
    assert cells.each.sum() == problem.rows
    scorer = Scorer(cells)
    for box in _boxes(cells, np.random.default_rng(5), 12):
        ours, values = scorer.exact(box)
        exact, expected = near.exact(finer(box, chosen))
        np.testing.assert_allclose(values, expected, rtol=1e-9, atol=1e-9)
        _same(ours, exact)
    taken = problem.mask(boxes[0]) & (problem.owner < problem.outliers)
    np.testing.assert_array_equal(spark_problem.members(boxes[0]), np.unique(fetched.rids[taken]))


def test_rows_of_a_join_and_of_a_function_of_ones_own_are_scored_in_spark_too(
    ws: whence.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws.create("t", _table(3, 600), schema=SCHEMA)
    ws.create("names", [("a", "one"), ("b", "two"), ("c", "two"), ("c", "three")], schema="s string, name string")
    dataset = ws.sql(
        "select g, sum(v) t, median(w) m from t left join names using (s) group by g order by g", name="joined"
    )
    random = np.random.default_rng(4)
    for column in ("t", "m"):
        fetched = _fetched(ws, dataset, column, monkeypatch)
        spark_problem, near = fetched.spark_problem, Scorer(fetched.problem)
        assert spark_problem is not None
        boxes = list(dict.fromkeys(_boxes(fetched.problem, random, 10)))
        parts, after = spark_problem.scored(boxes)
        for place, box in enumerate(boxes):
            exact, values = near.exact(box)
            np.testing.assert_allclose(after[place], values, rtol=1e-9, atol=1e-9)
            _same(parts.take([place]), exact)
        taken = fetched.problem.mask(boxes[0]) & (fetched.problem.owner < 3)
        rids = np.unique(fetched.rids[taken])
        np.testing.assert_array_equal(spark_problem.members(boxes[0]), rids[rids >= 0])
    monkeypatch.setattr(fetching, "IN_MEMORY", 0)
    found = whence.explain(
        dataset, "t", outliers=[0], holdouts=[1, 2, 3], measure="v", aggregate=lambda v: float(np.nansum(v)), c=0.0
    )
    assert found.reason or found[0].effect[0].after <= found[0].effect[0].before


def test_bins_are_put_together_until_cells_are_few() -> None:
    random = np.random.default_rng(0)
    owner = np.sort(random.integers(0, 10, 20_000))
    attributes = [ordered(name, random.uniform(0, 1, 20_000)) for name in "xyz"]
    for budget in (300_000, 30_000):
        chosen = coarsened(attributes, owner, 10, budget)
        assert chosen is not None
        assert budget / 8 < 10 * np.prod([each.size + 1 for each in chosen]) <= 1.5 * budget
    many = [ordered(name, random.uniform(0, 1, 20_000)) for name in "abcdefgh"]
    assert coarsened(many, owner, 10, 30_000) is None
    few = coarsened([unordered("s", ["a", "b"] * 10_000)], owner, 10, 100)
    assert few is not None
    assert few[0].size == 2


@pytest.fixture
def large(ws: whence.Workspace, monkeypatch: pytest.MonkeyPatch) -> whence.Dataset:
    """Twelve thousand rows of which three thousand are sampled; two of six groups are odd in a corner."""
    random = np.random.default_rng(6)
    rows = 12_000
    frame = pd.DataFrame(
        {
            "g": random.integers(0, 6, rows),
            "kind": random.choice(["p", "q", "r"], rows),
            "x": random.uniform(0, 100, rows),
            "y": random.uniform(0, 100, rows),
        }
    )
    odd = (frame.g < 2) & (frame.kind == "q") & (frame.x > 40) & (frame.x < 70)
    frame["v"] = random.normal(10, 2, rows) + 30 * odd
    ws.create("big", frame, schema="g int, kind string, x double, y double, v double")
    monkeypatch.setattr(fetching, "IN_MEMORY", 10_000)
    monkeypatch.setattr(fetching, "sample_places", partial(sample_places, rows=3000))
    return ws.sql("select g, avg(v) m, median(v) d from big group by g order by g", name="grouped")


def test_what_a_sample_finds_is_told_as_all_rows_have_it(
    ws: whence.Workspace, large: whence.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[int] = []

    def listen(some: whence.Explanations[Any]) -> None:
        told.append(len(some))

    found = whence.explain(large, "m", outliers=[0, 1], holdouts="others", partial=listen)
    assert told[0] > 0
    assert found.is_complete
    table = ws["big"].to_pandas()
    truth = (table.g < 2) & (table.kind == "q") & (table.x > 40) & (table.x < 70)
    shares = []
    for answer in found:
        taken = pd.Series(False, index=table.index)
        taken[table.query(_for_pandas(answer.predicate.sql)).index] = True
        behind = taken & (table.g < 2)
        assert answer.rows.ids.tolist() == table.index[behind].tolist()
        assert f"{behind.sum():,} row" in answer.sentence
        for effect in answer.effect:
            left = table[(table.g == effect.row) & ~taken]
            assert effect.after == pytest.approx(left.v.mean(), rel=1e-9)
        shares.append(2 * (truth & behind).sum() / (truth.sum() + behind.sum()))
    assert max(shares) > 0.99
    monkeypatch.setattr(rows_in_spark, "run_tasks", lambda *_: pytest.fail("read again"))
    again = found.at(c=0.3, lam=0.7)
    assert again[0].influence == pytest.approx(again[0].influence_at(0.3))
    assert "kind = 'q'" in again[0].predicate.sql


def test_a_stop_keeps_the_best_so_far_and_a_median_is_exact(ws: whence.Workspace, large: whence.Dataset) -> None:
    stopped = whence.explain(large, "m", outliers=[0, 1], holdouts="others", partial=lambda _: True)
    assert not stopped.is_complete
    assert len(stopped) > 0
    table = ws["big"].to_pandas()
    answer = whence.explain(large, "d", outliers=[0, 1], holdouts="others", c=0.0, direction="wrong")[0]
    taken = table.query(_for_pandas(answer.predicate.sql)).index
    for effect in answer.effect:
        left = table.drop(taken)
        assert effect.after == pytest.approx(left[left.g == effect.row].v.median(), rel=1e-9)


def _for_pandas(sql: str) -> str:
    """The few forms of these answers: ranges of numbers, sets of text."""
    text = sql.replace(" AND ", " and ").replace(" IN (", " in (").replace(" = ", " == ")
    parts = text.split(" and ")
    joined: list[str] = []
    while parts:
        part = parts.pop(0)
        if " BETWEEN " in part:
            name, low = part.split(" BETWEEN ")
            part = f"{low} <= {name} <= {parts.pop(0)}"
        if part.endswith(" IS NOT NULL"):
            name = part.removesuffix(" IS NOT NULL")
            part = f"{name} == {name}"
        joined.append(part)
    return " and ".join(joined)
