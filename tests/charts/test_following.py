"""Boxes, intervals and curves over some rows, against definitions by statistics, SciPy and plain sums."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats as scipy_stats

from whence.charts import curves as curves_module
from whence.charts.curves import Curves, Density, Loess, Regression, Series
from whence.charts.following import Answers, Follower
from whence.charts.kernels import Measured
from whence.charts.relation import Several
from whence.charts.several import spread
from whence.charts.spread import Beyond, Boxes

Numbers = dict[str, float | None]


def told(answers: Answers, mark: int) -> Numbers:
    return {name: float(values[mark]) if there[mark] else None for name, (values, there) in answers.items()}


def quantile(values: list[float], share: float) -> float:
    return float(np.quantile(values, share))


def box(values: list[float]) -> Numbers:
    first, third = quantile(values, 0.25), quantile(values, 0.75)
    far = 1.5 * (third - first)
    within = [value for value in values if first - far <= value <= third + far]
    return {"y": quantile(values, 0.5), "lower": min(within), "q1": first, "q3": third, "upper": max(within)}


def interval(extent: str) -> Callable[[list[float]], Numbers]:
    def ends(values: list[float]) -> Numbers:
        mean = statistics.fmean(values)
        if extent == "iqr":
            return {"y": quantile(values, 0.5), "lower": quantile(values, 0.25), "upper": quantile(values, 0.75)}
        if extent == "range":
            return {"y": mean, "lower": min(values), "upper": max(values)}
        if len(values) == 1:
            return {"y": mean, "lower": None, "upper": None}
        deviation = statistics.stdev(values)
        error = deviation / math.sqrt(len(values))
        wide = {"stdev": deviation, "stderr": error, "ci": 1.96 * error}[extent]
        return {"y": mean, "lower": mean - wide, "upper": mean + wide}

    return ends


EXTENTS = ("ci", "stderr", "stdev", "iqr", "range")
DEFINITIONS = {"box": box, **{extent: interval(extent) for extent in EXTENTS}}


def made(kind: str, measured: Measured) -> Follower:
    if kind == "box":
        return spread(Several("boxes", "y", None, "y", {"reach": 1.5}), measured)
    return spread(Several("intervals", "y", None, "y", {"extent": kind}), measured)


@pytest.mark.parametrize("kind", DEFINITIONS)
@pytest.mark.parametrize("seed", range(4))
def test_several_numbers_of_the_chosen_rows_are_those_of_the_definition(kind: str, seed: int) -> None:
    chance = np.random.default_rng(seed)
    size, rows = 4, int(chance.integers(0, 80))
    owner, valid = chance.integers(-1, size, rows), chance.random(rows) < 0.8
    values = chance.integers(-5, 6, rows) if seed % 2 else chance.standard_t(2, rows).round(1)
    follower = made(kind, Measured(owner, size, "median", values, valid))
    brushed = chance.integers(-1, 4, rows)
    table = follower.table(brushed, 4, None)
    assert table is not None
    for picked in (np.array([0]), np.array([1, 2]), np.arange(4)):
        chosen = np.isin(brushed, picked)
        answers = [follower.measure(chosen), table.add_up(picked)]
        for mark in range(size):
            mine = values[(owner == mark) & chosen & valid].astype(float).tolist()
            wanted = DEFINITIONS[kind](mine) if mine else None
            for answer in answers:
                found = told(answer, mark)
                assert found == (pytest.approx(wanted) if wanted else dict.fromkeys(found)), (mark, mine)


def test_what_lies_beyond_is_for_the_boxes_of_the_chosen_rows_to_say() -> None:
    values = np.array([1.0, 2, 3, 4, 5, 6, 7, 8, 30, 16])
    boxes = spread(Several("boxes", "y", None, "y", {"reach": 1.5}), Measured(np.zeros(10, int), 2, "median", values))
    assert isinstance(boxes, Boxes)
    beyond = Beyond(boxes, "y", np.array([-1, 8]))
    assert told(beyond.measure(None), 1) == {"y": 30.0}
    assert told(beyond.measure(None), 0) == {"y": None}
    assert told(beyond.measure(np.arange(10) != 8), 1) == {"y": None}  # it is not chosen
    assert told(beyond.measure(np.arange(10) >= 6), 1) == {"y": None}  # among these it is not far out
    brushed = (np.arange(10) >= 6).astype(int)
    lines, all_but_last = beyond.table(brushed, 2, None), beyond.table(brushed, 2, np.arange(10) < 9)
    assert lines is not None
    assert all_but_last is not None
    for picked, wanted in ((np.array([1]), None), (np.arange(2), 30.0)):
        assert told(lines.add_up(picked), 1) == {"y": wanted}
        assert told(all_but_last.add_up(picked), 1) == {"y": wanted}


def drawn(chance: np.random.Generator, rows: int) -> Curves:
    """Two series, three places each."""
    places = np.array([0.5, 2.0, 4.5])
    series = [Series(np.arange(3) + 3 * n, places + n, {"h": 0.7 + n}) for n in range(2)]
    a = np.abs(chance.normal(2, 1, rows)) + 0.01
    return Curves(series, chance.integers(-1, 2, rows), 6, a, np.abs(3 * a + chance.normal(0, 1, rows)) + 0.01)


def subsets(chance: np.random.Generator, rows: int) -> tuple[np.ndarray, list[np.ndarray]]:
    return chance.integers(-1, 3, rows), [np.array([0]), np.array([0, 2]), np.arange(3)]


def density_at(place: float, a: np.ndarray, wide: float) -> float:
    return statistics.fmean(math.exp(-0.5 * ((place - each) / wide) ** 2) for each in a) / (
        wide * math.sqrt(2 * math.pi)
    )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("method", ["density", "linear", "log", "exp", "pow", "loess"])
def test_curves_through_the_chosen_rows_are_those_of_the_definition(method: str, seed: int) -> None:
    chance = np.random.default_rng(seed)
    rows = 240 if method == "loess" else 60  # a line takes more than two points
    given = drawn(chance, rows)
    assert given.b is not None
    follower: Follower = Regression(given, "y", method, 0.95)
    if method in ("density", "loess"):
        follower = Density(given, "y") if method == "density" else Loess(given, "y", 0.6)
    brushed, picks = subsets(chance, rows)
    table = follower.table(brushed, 3, None)
    assert table is not None
    for picked in picks:
        chosen = np.isin(brushed, picked)
        for number, series in enumerate(given.series):
            mine = (given.of_row == number) & chosen
            for mark, place in zip(series.marks.tolist(), series.places.tolist(), strict=True):
                wanted = at(method, place, given.a[mine], given.b[mine], series.options["h"])
                for answer in (follower.measure(chosen), table.add_up(picked)):
                    assert told(answer, mark) == pytest.approx(wanted)


def at(method: str, place: float, a: np.ndarray, b: np.ndarray, wide: float) -> Numbers:
    """What a curve through points says at a place."""
    if method == "density":
        return {"y": density_at(place, a, wide)}
    if method == "loess":
        return {"y": nearest_line(place, a, b, 0.6)}
    x = np.log(a) if method in ("log", "pow") else a
    y = np.log(b) if method in ("exp", "pow") else b
    g = math.log(place) if method in ("log", "pow") else place
    fit = scipy_stats.linregress(x, y)
    middle, n = fit.intercept + fit.slope * g, len(x)
    back = math.exp if method in ("exp", "pow") else float
    if n == 2:
        return {"y": back(middle), "lower": None, "upper": None}
    left = y - fit.intercept - fit.slope * x
    error = math.sqrt((left**2).sum() / (n - 2) * (1 / n + (g - x.mean()) ** 2 / ((x - x.mean()) ** 2).sum()))
    unsure = float(scipy_stats.t.ppf(0.975, n - 2)) * error
    return {"y": back(middle), "lower": back(middle - unsure), "upper": back(middle + unsure)}


def nearest_line(place: float, a: np.ndarray, b: np.ndarray, span: float) -> float:
    """A weighted line by NumPy through the nearest points."""
    near = np.argsort(np.abs(a - place), kind="stable")[: math.ceil(max(2.0, span * len(a)) - 1e-9)]
    away = np.abs(a[near] - place)
    weights = (1 - (away / away.max()) ** 3) ** 3
    slope, start = np.polyfit(a[near], b[near], 1, w=np.sqrt(weights))
    return float(slope * place + start)


def test_very_many_rows_are_gathered_and_hardly_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = np.random.default_rng(4)
    given = drawn(chance, 4000)
    chosen = chance.random(4000) < 0.4
    exact = Density(given, "y").measure(chosen)["y"][0]
    monkeypatch.setattr(curves_module, "MANY_ROWS", 1000)
    gathered = drawn(np.random.default_rng(4), 4000)
    assert gathered.sums.size == 2000
    assert Density(gathered, "y").measure(chosen)["y"][0] == pytest.approx(exact, rel=1e-3)
