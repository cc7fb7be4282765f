"""Marks against possible worlds: whatever changes in one is marked; where rules can be exact, nothing else is."""

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.oracles.cases import Profile, random_batch, random_case, single
from tests.oracles.checking import Bench, Failure, MarkCheck, check_marks, verify
from tests.oracles.comparing import Counts
from tests.oracles.precise_queries import Precise
from tests.oracles.queries import Query
from tests.oracles.random_queries import Queries
from whence.plan.steps import possible_ranks

if TYPE_CHECKING:
    from whence import Workspace

CASES = 80
WORLDS = 300
DOUBTFUL = Profile(rows=(1, 4), suspects=(0, 4))
PAIRS = Profile(rows=(1, 4), suspects=(0, 2))
NO_NULLS = Profile(rows=(1, 4), suspects=(0, 2), nulls=0)

Wrong = Callable[[MarkCheck], list[Failure]]


def misses(check: MarkCheck) -> list[Failure]:
    return check.failures


def misses_and_over(check: MarkCheck) -> list[Failure]:
    return check.failures + check.over


def misses_and_over_rows(check: MarkCheck) -> list[Failure]:
    """Aggregates may be marked beyond need, rows and row sets may not."""
    return check.failures + [one for one in check.over if any("row" in text.split()[0] for text in one.problems)]


def compare(bench: Bench, queries: list[Query], counts: Counts, wrong: Wrong = misses, limit: int = WORLDS) -> None:
    def failures(one: Bench, query: Query) -> list[Failure]:
        check = check_marks(one, query, limit)
        counts.add(check.counts)
        return wrong(check)

    verify(bench, queries, failures)


@pytest.mark.parametrize(
    "family",
    ["project", "filter", "join", "aggregate", "union_all", "distinct", "sort", "twice", "windowed", "with_scalar"],
)
def test_no_change_goes_unmarked(ws: "Workspace", tally: dict[str, Counts], family: str) -> None:
    rng = Random(family)
    queries = [getattr(Queries(rng), family)(1) for _ in range(3 if family.startswith("wi") else 1)]
    compare(Bench(ws, random_batch(rng, DOUBTFUL, CASES)), queries, tally.setdefault(f"caveats, {family}", Counts()))


@pytest.mark.parametrize("seed", range(2))
def test_no_change_goes_unmarked_in_nested_queries(ws: "Workspace", tally: dict[str, Counts], seed: int) -> None:
    rng = Random(200 + seed)
    queries = [Queries(rng).query(rng.randint(2, 3)) for _ in range(3)]
    compare(Bench(ws, random_batch(rng, DOUBTFUL, CASES)), queries, tally.setdefault("caveats, nested", Counts()))


def test_no_change_goes_unmarked_across_datasets(ws: "Workspace", tally: dict[str, Counts]) -> None:
    rng = Random(300)
    queries = [Queries(rng, kept=f"kept{number}").two_steps(1) for number in range(2)]
    compare(Bench(ws, random_batch(rng, DOUBTFUL, CASES)), queries, tally.setdefault("caveats, two steps", Counts()))


@pytest.mark.parametrize("seed", range(2))
def test_no_change_goes_unmarked_in_limits_and_totals(ws: "Workspace", tally: dict[str, Counts], seed: int) -> None:
    rng = Random(400 + seed)
    maker = Queries(rng, limits=True)
    queries = [maker.fresh().limit(rng.randint(1, 2)) for _ in range(2)] + [maker.fresh().total(2)]
    case = random_case(rng, Profile(rows=(3, 6), suspects=(2, 3)))
    compare(Bench(ws, single(case)), queries, tally.setdefault("caveats, limits and totals", Counts()))


def test_settled_cells_are_not_marked(ws: "Workspace", tally: dict[str, Counts]) -> None:
    rng, counts = Random(500), tally.setdefault("exact, project", Counts())
    queries = [Precise(rng).settling(2) for _ in range(2)]
    compare(Bench(ws, random_batch(rng, NO_NULLS, CASES)), queries, counts, misses_and_over)


def test_settled_cells_among_nulls_are_not_marked(ws: "Workspace", tally: dict[str, Counts]) -> None:
    rng, counts = Random(501), tally.setdefault("exact, project with NULLs", Counts())
    queries = [Precise(rng).settling(1) for _ in range(2)]
    compare(Bench(ws, random_batch(rng, PAIRS, CASES)), queries, counts, misses_and_over)


def test_rows_a_filter_keeps_for_certain_are_not_marked(ws: "Workspace", tally: dict[str, Counts]) -> None:
    rng, counts = Random(502), tally.setdefault("exact, filter", Counts())
    queries = [Precise(rng).filtered(2) for _ in range(2)]
    compare(Bench(ws, random_batch(rng, NO_NULLS, CASES)), queries, counts, misses_and_over)


def test_certain_support_takes_doubt_from_rows(ws: "Workspace", tally: dict[str, Counts]) -> None:
    rng, counts = Random(503), tally.setdefault("exact, distinct and group keys", Counts())
    queries = [Precise(rng).supported() for _ in range(3)]
    compare(Bench(ws, random_batch(rng, PAIRS, CASES)), queries, counts, misses_and_over_rows)


@pytest.mark.parametrize("seed", range(2))
def test_a_row_over_everything_is_certain(ws: "Workspace", tally: dict[str, Counts], seed: int) -> None:
    rng, counts = Random(600 + seed), tally.setdefault("exact, count over a filter", Counts())
    bench = Bench(ws, single(random_case(rng, NO_NULLS)))
    compare(bench, [Precise(rng).counted(2) for _ in range(2)], counts, misses_and_over)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2000, 2030))
def test_many_more_worlds(ws: "Workspace", tally: dict[str, Counts], seed: int) -> None:
    rng = Random(seed)
    queries = [Queries(rng).query(rng.randint(1, 4)) for _ in range(8)] + [Queries(rng).two_steps(2)]
    counts = tally.setdefault("caveats, long", Counts())
    compare(Bench(ws, random_batch(rng, DOUBTFUL, CASES)), queries, counts, limit=600)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3000, 3012))
def test_many_more_groups(ws: "Workspace", tally: dict[str, Counts], seed: int) -> None:
    rng = Random(seed)
    queries = [Queries(rng).aggregate(rng.randint(1, 2)) for _ in range(5)]
    counts = tally.setdefault("caveats, long, aggregate", Counts())
    compare(Bench(ws, random_batch(rng, DOUBTFUL, CASES)), queries, counts)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3100, 3108))
def test_many_more_limits_over_groups_that_are_not_ranked(
    ws: "Workspace", tally: dict[str, Counts], monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """As over inputs too large to rank: the rows that are kept are all in doubt, and their cells as before."""
    monkeypatch.setattr(possible_ranks, "MOST_RANKED", 0)
    rng = Random(seed)
    maker = Queries(rng, limits=True, ops={"aggregate": 1, "filter": 1})
    queries = [maker.fresh().limit(2) for _ in range(5)]
    case = random_case(rng, Profile(rows=(3, 6), suspects=(2, 3)))
    compare(Bench(ws, single(case)), queries, tally.setdefault("caveats, long, limits not ranked", Counts()))
