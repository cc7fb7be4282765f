"""Parts of dates and times, against Python's own calendar; and as attributes that explain."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pyarrow as pa

from whence.outliers.aggregates.avg import Avg
from whence.outliers.choose_attributes import Candidate, choose_attributes
from whence.outliers.complaint import Complaint
from whence.outliers.find import find
from whence.outliers.predicate import Predicate, Range, Values
from whence.outliers.problem import Problem
from whence.outliers.request import Request
from whence.outliers.time_part import KNOWN, OFFERED, TimePart, named_part

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
    for scale, numbers in (("timestamp", micros), ("date", days)):
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
