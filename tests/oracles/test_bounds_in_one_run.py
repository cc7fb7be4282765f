"""Bounds that the run of a query stores, against those of a run of their own: the same flags, and no wider ranges."""

from collections import Counter
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.oracles.asking import Answer
from tests.oracles.bound_queries import BoundQueries
from tests.oracles.bounded import ROUNDING
from tests.oracles.cases import random_batch
from tests.oracles.checking import Bench, Failure
from tests.oracles.queries import Query
from tests.oracles.test_bounds_oracle import FAMILIES, MEASURES, RANGED, measured
from whence.caveats.stored_ranges import StoredRanges

if TYPE_CHECKING:
    from whence import Workspace
    from whence.workspace.cell_bounds import CellBounds

CASES = 40


def answers(bench: Bench, query: Query, monkeypatch: pytest.MonkeyPatch) -> tuple[Answer, Answer]:
    """The answer of one run with ranges, and that of a run without."""
    bench.ws.capture.take_over(False)
    one = bench.ask(bench.shaped(query), marks=True)
    with monkeypatch.context() as patched:
        patched.setattr("whence.derive.rewrite.bound_plan", lambda *_: None)
        other = bench.ask(bench.shaped(query), marks=True)
    assert not isinstance(one, Failure), str(one)
    assert not isinstance(other, Failure), str(other)
    return one, other


def has_stored_ranges(answer: Answer) -> bool:
    context, record = answer.dataset._context, answer.dataset.record
    return StoredRanges.of(context.store, record) is not None


def compare(bench: Bench, query: Query, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the run stored ranges; fails where they, or the flags, are not those of two runs."""
    one, other = answers(bench, query, monkeypatch)
    assert not has_stored_ranges(other)
    assert Counter(one.rows) == Counter(other.rows), one.sql
    assert one.row_set == other.row_set, one.sql
    if not has_stored_ranges(one):
        return False
    for name in one.dataset.columns:
        place = one.dataset.columns.index(name)
        there: dict[object, list[CellBounds]] = {}
        for number, row in enumerate(other.rows):
            if row.marks[place]:
                there.setdefault(row, []).append(other.dataset.caveats.bounds(number, name))
        for number, row in enumerate(one.rows):
            if row.marks[place]:
                found = one.dataset.caveats.bounds(number, name)
                assert any(is_within(found, each) for each in there[row]), (one.sql, row, name, found, there[row])
    return True


def is_within(one: "CellBounds", other: "CellBounds") -> bool:
    """The one holds no value that the other does not."""
    low = other.low is None or (one.low is not None and at_most(other.low, one.low))
    high = other.high is None or (one.high is not None and at_most(one.high, other.high))
    return low and high and one.may_be_missing <= other.may_be_missing


def at_most(low: object, high: object) -> bool:
    if isinstance(low, float) and isinstance(high, float):
        return low <= high + ROUNDING * max(1.0, abs(high))
    return bool(low <= high)  # type: ignore[operator]  # both are values of one column


@pytest.mark.parametrize("family", ["project", "aggregate", "join", "windowed", "spreads", "union_all"])
def test_one_run_gives_the_flags_and_bounds_of_two(
    ws: "Workspace", family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = Random(f"one run {family}")
    bench = Bench(ws, random_batch(rng, RANGED, CASES))
    compare(bench, getattr(BoundQueries(rng), family)(1), monkeypatch)
    assert compare(Bench(ws, random_batch(rng, MEASURES, CASES)), measured(rng), monkeypatch)


@pytest.mark.long
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("seed", range(8200, 8202))
def test_one_run_gives_the_flags_and_bounds_of_two_for_many_queries(
    ws: "Workspace", family: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = Random(f"one run {family} {seed}")
    bench = Bench(ws, random_batch(rng, RANGED, CASES))
    for _ in range(5):
        compare(bench, getattr(BoundQueries(rng), family)(rng.randint(1, 2)), monkeypatch)
