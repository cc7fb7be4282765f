"""Bounds against possible worlds: no world leaves them, and for plain aggregates they are the smallest."""

from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.oracles.bound_queries import BoundQueries
from tests.oracles.bounded import AskBounds, BoundCounts, ask_in_sql, ask_the_dataset, bound_failures
from tests.oracles.cases import SCHEMAS, Profile, random_batch
from tests.oracles.checking import Bench, Failure, verify
from tests.oracles.expressions import Apply, Col, Expr
from tests.oracles.queries import Agg, Aggregate, AggregateName, Item, Query, Scan
from tests.oracles.random_queries import Queries

if TYPE_CHECKING:
    from whence import Workspace

FAMILIES = (
    "project", "filter", "join", "aggregate", "union_all", "distinct", "in_query", "with_scalar", "windowed", "spreads",
    "functions", "rollup",
)  # fmt: skip
CASES = 60
WORLDS = 300
RANGED = Profile(rows=(1, 4), suspects=(0, 4), ranged=0.85)
MEASURES = Profile(rows=(1, 5), suspects=(0, 3), ranged=1.0, suspect_columns=("x", "y", "s"))


def compare(
    bench: Bench,
    queries: list[Query],
    counts: BoundCounts,
    limit: int = WORLDS,
    ask: AskBounds = ask_the_dataset,
) -> None:
    def failures(one: Bench, query: Query) -> list[Failure]:
        return bound_failures(one, query, counts, limit, ask)

    verify(bench, queries, failures)


@pytest.mark.parametrize("family", FAMILIES)
def test_no_world_leaves_the_bounds(ws: "Workspace", bound_tally: dict[str, BoundCounts], family: str) -> None:
    rng = Random(f"bounds {family}")
    queries = [getattr(BoundQueries(rng), family)(1) for _ in range(2)]
    counts = bound_tally.setdefault(f"bounds, {family}", BoundCounts())
    compare(Bench(ws, random_batch(rng, RANGED, CASES)), queries, counts)


@pytest.mark.parametrize("seed", range(2))
def test_no_world_leaves_the_bounds_of_nested_queries(
    ws: "Workspace", bound_tally: dict[str, BoundCounts], seed: int
) -> None:
    rng = Random(7000 + seed)
    queries = [Queries(rng).query(2), Queries(rng, kept=f"kept{seed}").two_steps(1)]
    compare(
        Bench(ws, random_batch(rng, RANGED, CASES)), queries, bound_tally.setdefault("bounds, nested", BoundCounts())
    )


@pytest.mark.parametrize("family", ["project", "filter", "join", "aggregate", "windowed"])
def test_no_world_leaves_the_ends_that_a_query_asks_for(
    ws: "Workspace", bound_tally: dict[str, BoundCounts], family: str
) -> None:
    rng = Random(f"asked {family}")
    counts = bound_tally.setdefault("bounds, asked in SQL", BoundCounts())
    queries = [getattr(BoundQueries(rng), family)(1)]
    compare(Bench(ws, random_batch(rng, RANGED, CASES)), queries, counts, ask=ask_in_sql)
    if family == "aggregate":
        compare(Bench(ws, random_batch(rng, MEASURES, CASES)), [measured(rng)], counts, ask=ask_in_sql)


MEASURE = Col("a_x")
SHORT = Apply("cast({0} as int)", lambda x: x, (MEASURE,))
"""Sums of these are corrected where they are in doubt; those of larger numbers are added up anew."""


def measured(rng: Random, value: Expr = MEASURE) -> Query:
    """Aggregates of a column over a key that is certain."""
    scan = Scan("t", "a", SCHEMAS["t"])
    functions: list[AggregateName] = ["count(*)", "count", "sum", "min", "max", "avg"]
    made = tuple(Agg(f"c{n}", name, None if name == "count(*)" else value, "int") for n, name in enumerate(functions))
    keys = (Item("g", Col("a_k"), "int"),) if rng.random() < 0.7 else ()
    return Aggregate(scan, keys, made)


def test_bounds_of_plain_aggregates_are_the_smallest(ws: "Workspace", bound_tally: dict[str, BoundCounts]) -> None:
    rng = Random(42)
    counts = bound_tally.setdefault("bounds, plain aggregates", BoundCounts())
    compare(Bench(ws, random_batch(rng, MEASURES, 120)), [measured(rng), measured(rng)], counts, 3000)
    assert counts.smallest >= 0.9 * counts.cells


def test_bounds_of_aggregates_of_short_numbers_are_the_smallest(
    ws: "Workspace", bound_tally: dict[str, BoundCounts]
) -> None:
    rng = Random(43)
    counts = bound_tally.setdefault("bounds, short numbers", BoundCounts())
    compare(Bench(ws, random_batch(rng, MEASURES, 120)), [measured(rng, SHORT), measured(rng, SHORT)], counts, 3000)
    assert counts.smallest >= 0.9 * counts.cells


@pytest.mark.long
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("seed", range(8000, 8003))
def test_many_more_worlds_leave_no_bounds(
    ws: "Workspace", bound_tally: dict[str, BoundCounts], family: str, seed: int
) -> None:
    rng = Random(f"{family} {seed}")
    queries = [getattr(BoundQueries(rng), family)(rng.randint(1, 2)) for _ in range(7)]
    queries.append(BoundQueries(rng).two_steps(1))
    counts = bound_tally.setdefault(f"bounds, {family}, long", BoundCounts())
    compare(Bench(ws, random_batch(rng, RANGED, 80)), queries, counts)


@pytest.mark.long
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("seed", range(8300, 8302))
def test_many_more_worlds_leave_no_ends_that_a_query_asks_for(
    ws: "Workspace", bound_tally: dict[str, BoundCounts], family: str, seed: int
) -> None:
    rng = Random(f"asked {family} {seed}")
    queries = [getattr(BoundQueries(rng), family)(rng.randint(1, 2)) for _ in range(4)]
    counts = bound_tally.setdefault("bounds, asked in SQL, long", BoundCounts())
    compare(Bench(ws, random_batch(rng, RANGED, CASES)), queries, counts, ask=ask_in_sql)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8100, 8104))
def test_bounds_of_many_plain_aggregates_are_the_smallest(
    ws: "Workspace", bound_tally: dict[str, BoundCounts], seed: int
) -> None:
    rng = Random(seed)
    counts = bound_tally.setdefault(f"bounds, plain aggregates {seed}", BoundCounts())
    compare(Bench(ws, random_batch(rng, MEASURES, 150)), [measured(rng) for _ in range(3)], counts, 3000)
    assert counts.smallest >= 0.9 * counts.cells
