"""Parts of dates and times, against Python's own calendar; and as attributes that explain."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import permutations

import numpy as np
import pyarrow as pa
import pytest

from tests.explain import definition
from whence.explain.aggregates.avg import Avg
from whence.explain.attribute import Span, ordered
from whence.explain.choose_attributes import Candidate, choose_attributes, part_attributes
from whence.explain.complaint import Complaint
from whence.explain.find import find
from whence.explain.influence import Scorer
from whence.explain.predicate import Predicate, Range, Values
from whence.explain.problem import Problem
from whence.explain.request import Request
from whence.explain.search.best_clause import best_clause
from whence.explain.search.histograms import Histograms
from whence.explain.time_part import KNOWN, OFFERED, PartName, Timed, TimePart, named_part

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_PYTHON = {
    "year": lambda at: at.year,
    "quarter": lambda at: (at.month - 1) // 3 + 1,
    "month": lambda at: at.month,
    "day": lambda at: at.day,
    "weekday": lambda at: at.weekday(),
    "hour": lambda at: at.hour,
    "minute": lambda at: at.minute,
    "second": lambda at: at.second,
}


def test_parts_are_those_of_the_calendar() -> None:
    random = np.random.default_rng(0)
    moments = [_EPOCH + timedelta(microseconds=int(each)) for each in random.integers(-(2**51), 2**52, 2000)]
    micros = np.array([(each - _EPOCH) // timedelta(microseconds=1) for each in moments] + [np.nan], dtype=np.float64)
    days = np.array([(each - _EPOCH).days for each in moments] + [np.nan], dtype=np.float64)
    of_scale: dict[Timed, np.ndarray] = {"timestamp": micros, "date": days}
    for scale, numbers in of_scale.items():
        for name in KNOWN[scale]:
            found = TimePart(name, scale).numbers(numbers)
            assert found[:-1].tolist() == [_PYTHON[name](each) for each in moments]
            assert np.isnan(found[-1])


def test_a_condition_on_a_part_meets_the_rows_it_says() -> None:
    at = np.array([(day * 24 + hour) * 3.6e9 for day in range(14) for hour in range(24)] + [np.nan])
    hours, weekdays = TimePart("hour", "timestamp"), TimePart("weekday", "timestamp")
    office = Range("at", 9, 11, is_whole=True, part=hours)
    weekend = Values("at", (5, 6, None), weekdays)
    assert office.matches(at).sum() == 14 * 3
    assert weekend.matches(at).sum() == 4 * 24 + 1
    both = Predicate((office, weekend))
    assert both.sql == "hour(at) BETWEEN 9 AND 11 AND (weekday(at) IN (5, 6) OR weekday(at) IS NULL)"
    assert both.phrase == "the hour of at is from 9 to 11 and the weekday of at is Saturday, Sunday or missing"
    assert both.to_json() == [
        {"column": "at", "part": "hour", "low": 9, "high": 11},
        {"column": "at", "part": "weekday", "values": [5, 6, None]},
    ]
    assert both.matches({"at": at}).sum() == 4 * 3
    assert named_part(" Hour( `at` ) ") == ("hour", "at")
    assert named_part("floor(at)") is None


def test_hours_and_weekdays_explain_and_idle_parts_are_left_out() -> None:
    random = np.random.default_rng(1)
    rows = 6000
    start = datetime(2024, 1, 1, tzinfo=UTC)
    moments = [start + timedelta(minutes=int(each)) for each in random.integers(0, 60 * 24 * 28, rows)]
    owner = np.sort(random.integers(0, 6, rows))
    odd = np.array([at.weekday() >= 5 and 9 <= at.hour <= 11 for at in moments]) & (owner < 2)
    values = (random.normal(10, 1, rows) + 40 * odd,)
    column = Candidate("at", pa.array(moments, pa.timestamp("us", "UTC")), OFFERED["timestamp"])
    chosen = choose_attributes([column], owner, 6, is_wish=False)
    assert [each.label for each in chosen.attributes] == ["at", "hour(at)", "weekday(at)"]
    assert chosen.left_out == {
        "day(at)": "in these rows it says no more than ranges of at do",
        "month(at)": "it has the same value in every row",
    }
    problem = Problem(owner, values, Avg(), (Complaint("high"),) * 2, 4, chosen.attributes)
    best = find(problem, Request(c=0.3)).items[0]
    assert best.predicate.sql == "hour(at) BETWEEN 9 AND 11 AND weekday(at) IN (5, 6)"
    assert (problem.mask(best.box) == np.array([at.weekday() >= 5 and 9 <= at.hour <= 11 for at in moments])).all()


def _moments(random: np.random.Generator, rows: int, days: int = 28) -> list[datetime]:
    start = datetime(2024, 1, 1, tzinfo=UTC)
    return [start + timedelta(minutes=int(each)) for each in random.integers(0, 60 * 24 * days, rows)]


def _micros(moments: list[datetime]) -> np.ndarray:
    return np.array([(each - _EPOCH) // timedelta(microseconds=1) for each in moments], dtype=np.float64)


def test_a_range_around_the_end_meets_the_rows_it_says() -> None:
    moments = _moments(np.random.default_rng(2), 500, days=400)
    at = np.append(_micros(moments), np.nan)
    ranges: dict[PartName, tuple[int, int]] = {
        "hour": (22, 4), "minute": (50, 9), "day": (28, 3), "month": (11, 2), "weekday": (5, 0),
    }  # fmt: skip
    for name, (low, high) in ranges.items():
        part = Range("at", low, high, is_whole=True, part=TimePart(name, "timestamp"))
        expected = [definition.is_between(_PYTHON[name](each), low, high) for each in moments]
        assert part.matches(at).tolist() == [*expected, False]
        assert part.sql == f"({name}(at) >= {low} OR {name}(at) <= {high})"
        assert part.to_json() == {"column": "at", "part": name, "low": low, "high": high}
    night = Range("at", 22, 4, part=TimePart("hour", "timestamp"))
    assert night.phrase == "the hour of at is from 22 to 4"
    assert Predicate((night, Values("shop", ("a",)))).sql == "(hour(at) >= 22 OR hour(at) <= 4) AND shop = 'a'"
    assert not Range("x", 22, 4).matches(np.array([1.0, 10.0, 30.0])).any()


def test_names_that_follow_each_other_are_said_as_a_range() -> None:
    months, weekdays = TimePart("month", "date"), TimePart("weekday", "date")
    assert Values("at", (1, 2, 11, 12), months).phrase == "the month of at is from November to February"
    assert Values("at", (0, 5, 6), weekdays).phrase == "the weekday of at is from Saturday to Monday"
    assert Values("at", (0, 2, 3), weekdays).phrase == "the weekday of at is Monday, Wednesday or Thursday"
    assert Values("at", (5, 6), weekdays).phrase == "the weekday of at is Saturday or Sunday"
    assert TimePart("month", "date").ends(list(range(1, 13))) is None
    assert Values("at", (2021, 2022, 2023), TimePart("year", "date")).phrase.endswith("is 2021, 2022 or 2023")


@pytest.mark.parametrize("seed", range(4))
def test_the_best_range_around_the_clock_is_that_of_the_definition(seed: int) -> None:
    random = np.random.default_rng(seed)
    moments = _moments(random, 240)
    owner = np.sort(random.integers(0, 3, len(moments)))
    values = np.round(random.normal(10, 4, len(moments)), 1)
    (hour,) = part_attributes(Candidate("at", pa.array(moments, pa.timestamp("us", "UTC")), ("hour",)))
    scorer = Scorer(Problem(owner, (values,), Avg(), (Complaint("high"),), 2, (hour,)))
    histograms = Histograms(scorer, hour)
    found = best_clause(histograms, histograms.sums(None), lambda parts: parts.influence(0.2, 0.5), None)

    def by_definition(low: int, high: int) -> float:
        taken = np.array([definition.is_between(each.hour, low, high) for each in moments])
        groups = [([(float(v),) for v in values[owner == g]], taken[owner == g].tolist()) for g in range(3)]
        return definition.influence("avg", [(*groups[0], "high", 0.0)], groups[1:], 0.2, 0.5)

    best = max(by_definition(low, high) for low, high in [*permutations(range(24), 2), *((h, h) for h in range(24))])
    assert found.score == pytest.approx(best)


def test_what_is_odd_at_night_is_one_range_around_midnight() -> None:
    random = np.random.default_rng(4)
    rows = 6000
    moments = _moments(random, rows)
    owner, x = np.sort(random.integers(0, 6, rows)), random.uniform(0, 100, rows)
    night = np.array([definition.is_between(at.hour, 22, 4) for at in moments])
    values = (random.normal(10, 1, rows) + 40 * (night & (owner < 2)),)
    column = Candidate("at", pa.array(moments, pa.timestamp("us", "UTC")), OFFERED["timestamp"])
    chosen = choose_attributes([column], owner, 6, is_wish=False)
    problem = Problem(owner, values, Avg(), (Complaint("high"),) * 2, 4, (*chosen.attributes, ordered("x", x)))
    found = find(problem, Request())
    assert found.items[0].predicate.sql == "(hour(at) >= 22 OR hour(at) <= 4)"
    assert (problem.mask(found.items[0].box) == night).all()
    assert found.items[0].predicate.matches({"at": _micros(moments)}).tolist() == night.tolist()


def test_only_what_starts_over_has_ranges_around_the_end() -> None:
    random = np.random.default_rng(6)
    rows = 4000
    owner, x = np.sort(random.integers(0, 4, rows)), random.uniform(0, 100, rows)
    values = (random.normal(10, 1, rows) + 40 * (((x < 20) | (x > 80)) & (owner == 0)),)
    found = find(Problem(owner, values, Avg(), (Complaint("high"),), 3, (ordered("x", x),)), Request())
    clauses = [clause for box in found.archive.boxes for _, clause in box if isinstance(clause, Span)]
    assert clauses
    assert not any(clause.wraps for clause in clauses)
