"""Lineage of random queries over random tables equals lineage by definition, both ways, and gives each row again."""

from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.oracles.cases import Profile, random_batch, random_case, single
from tests.oracles.checking import Bench, Failure, lineage_failures, verify
from tests.oracles.comparing import Counts
from tests.oracles.queries import Query
from tests.oracles.random_queries import Queries

if TYPE_CHECKING:
    from whence import Workspace

CASES = 100


def check(bench: Bench, queries: list[Query], counts: Counts) -> None:
    def failures(one: Bench, query: Query) -> list[Failure]:
        counts.add(Counts(shapes=1, cases=len(one.batch.cases)))
        return lineage_failures(one, query)

    verify(bench, queries, failures)


@pytest.mark.parametrize("seed", range(3))
def test_nested_queries(ws: "Workspace", tally: dict[str, Counts], seed: int) -> None:
    rng = Random(seed)
    queries = [Queries(rng).query(rng.randint(2, 4)) for _ in range(5)]
    check(Bench(ws, random_batch(rng, Profile(), CASES)), queries, tally.setdefault("lineage, nested", Counts()))


@pytest.mark.parametrize("seed", range(2))
def test_correlated_subqueries(ws: "Workspace", tally: dict[str, Counts], seed: int) -> None:
    rng = Random(90 + seed)
    queries = [Queries(rng).with_scalar(rng.randint(1, 3)) for _ in range(3)]
    check(Bench(ws, random_batch(rng, Profile(), CASES)), queries, tally.setdefault("lineage, subqueries", Counts()))


@pytest.mark.parametrize("seed", range(2))
def test_windows(ws: "Workspace", tally: dict[str, Counts], seed: int) -> None:
    rng = Random(80 + seed)
    queries = [Queries(rng).windowed(rng.randint(1, 2)) for _ in range(3)] + [Queries(rng).over_windows(3)]
    check(Bench(ws, random_batch(rng, Profile(), CASES)), queries, tally.setdefault("lineage, windows", Counts()))


def test_datasets_on_the_way(ws: "Workspace", tally: dict[str, Counts]) -> None:
    rng = Random(50)
    queries = [Queries(rng, kept=f"kept{number}").two_steps(2) for number in range(2)]
    check(Bench(ws, random_batch(rng, Profile(), CASES)), queries, tally.setdefault("lineage, two steps", Counts()))


@pytest.mark.parametrize("seed", range(2))
def test_limits_and_rows_over_everything(ws: "Workspace", tally: dict[str, Counts], seed: int) -> None:
    rng = Random(70 + seed)
    maker = Queries(rng, limits=True)
    queries = [maker.fresh().limit(rng.randint(2, 3)) for _ in range(2)] + [maker.fresh().total(2)]
    check(
        Bench(ws, single(random_case(rng, Profile(rows=(4, 8))))),
        queries,
        tally.setdefault("lineage, limits and totals", Counts()),
    )


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1000, 1040))
def test_many_nested_queries(ws: "Workspace", tally: dict[str, Counts], seed: int) -> None:
    rng = Random(seed)
    queries = [Queries(rng).query(rng.randint(2, 5)) for _ in range(10)]
    queries += [Queries(rng, kept=f"kept{number}").two_steps(2) for number in range(3)]
    queries += [Queries(rng).windowed(rng.randint(1, 3)) for _ in range(2)] + [Queries(rng).over_windows(3)]
    check(Bench(ws, random_batch(rng, Profile(), CASES)), queries, tally.setdefault("lineage, long", Counts()))
