"""Totals against sums over plain lists."""

from __future__ import annotations

import statistics
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.lineage.totals import Totals, by_cause, finish, repeat_totals, totals

GROUPS = 3
ROWS = st.lists(st.tuples(st.integers(0, GROUPS - 1), st.integers(0, 3), st.integers(-50, 50)), max_size=25)


def columns(rows: list[tuple[int, int, int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    table = np.array(rows, dtype=np.int64).reshape(-1, 3)
    return table[:, 0], table[:, 1], table[:, 2]


def expected(function: str, values: list[int]) -> float | None:
    """The aggregate as SQL defines it."""
    if function == "count":
        return len(values)
    if len(values) < (2 if function.endswith("samp") else 1):
        return None
    plain: dict[str, Callable[[list[int]], float]] = {
        "sum": sum,
        "average": statistics.fmean,
        "variancesamp": statistics.variance,
        "variancepop": statistics.pvariance,
        "stddevsamp": statistics.stdev,
        "stddevpop": statistics.pstdev,
    }
    return plain[function](values)


def compare(found: Totals, groups: list[list[int]]) -> None:
    for function in ("count", "sum", "average", "variancesamp", "variancepop", "stddevsamp", "stddevpop"):
        values, has_value = finish(function, found)
        for number, members in enumerate(groups):
            known = expected(function, members)
            assert bool(has_value[number]) == (known is not None)
            if known is not None:
                assert float(values[number]) == pytest.approx(known, rel=1e-9, abs=1e-5)


@settings(derandomize=True, max_examples=200)
@given(ROWS)
def test_totals_are_those_of_each_group(rows: list[tuple[int, int, int]]) -> None:
    groups, _, values = columns(rows)
    compare(totals(groups, values, GROUPS), [[v for g, _, v in rows if g == each] for each in range(GROUPS)])
    compare(totals(groups, values.astype(float), GROUPS), [[v for g, _, v in rows if g == n] for n in range(GROUPS)])


@settings(derandomize=True, max_examples=200)
@given(ROWS)
def test_one_histogram_answers_for_every_cause_at_once(rows: list[tuple[int, int, int]]) -> None:
    groups, causes, values = columns(rows)
    whole = totals(groups, values, GROUPS)
    found = repeat_totals(whole, 4).without(by_cause(groups, causes, values, GROUPS, 4))
    cells = [[v for g, c, v in rows if g == group and c != cause] for group in range(GROUPS) for cause in range(4)]
    compare(found, cells)


def test_integers_beyond_what_a_float_holds_are_added_exactly() -> None:
    values = np.array([2**60 + 1, 2**60 + 2])
    assert totals(np.zeros(2, dtype=np.int64), values, 1).sum.tolist() == [2**61 + 3]
