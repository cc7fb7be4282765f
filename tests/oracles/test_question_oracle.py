"""Random queries: a refreshed row is the row again, and leaving rows out equals evaluating without them."""

from collections import Counter
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.oracles.asking import run
from tests.oracles.cases import Profile, random_batch
from tests.oracles.checking import Bench, Failure, gives_rows_again, verify
from tests.oracles.evaluate import prepare
from tests.oracles.expressions import Values
from tests.oracles.queries import Query, Stored, tables_of
from tests.oracles.random_queries import Queries

if TYPE_CHECKING:
    from whence import Dataset, Workspace

CASES = 8


def values(ds: "Dataset") -> list[Values]:
    return [tuple(row.values()) for row in ds.to_arrow().to_pylist()]


def question_failures(bench: Bench, query: Query) -> list[Failure]:
    """Where recomputing some rows, or leaving some out, goes wrong."""
    shaped, rng = bench.shaped(query), Random(bench.batch.rows["t"].__len__())
    ds, sql = run(bench.ws, shaped, f"out{next(bench.numbers)}", bench.style)
    problems = []
    if ds.count and gives_rows_again(shaped):
        rows = sorted(rng.sample(range(ds.count), min(4, ds.count)))
        again = [tuple(row.values()) for row in ds.lineage.refresh(rows).to_pylist()]
        if again != [values(ds)[row] for row in rows]:
            problems.append(f"refresh({rows}) gives {again}, not {[values(ds)[row] for row in rows]}")
    for table in sorted(tables_of(shaped)):
        size = len(bench.batch.rows[table])
        problems += left_out(bench, shaped, ds, table, set(rng.sample(range(size), min(5, size))))
    return [Failure(sql, bench.batch.cases[0], problems)] if problems else []


def left_out(bench: Bench, query: Query, ds: "Dataset", table: str, gone: set[int]) -> list[str]:
    if any(isinstance(step, Stored) for step in query.walk()):
        return []  # the table is no direct input
    less = ds.lineage.without(sorted(gone), of=table)
    stays = [row for number, row in enumerate(values(ds)) if number not in less.rows]
    found = Counter(stays + [tuple(row.values()) for row in less.after.to_pylist()])
    tables = dict(bench.batch.all_tables())
    tables[table] = [row for row in tables[table] if not any(rid in gone for _, rid in row.lineage)]
    expected = Counter(row.values for row in prepare(query)(tables))
    if found == expected:
        return []
    return [f"without {sorted(gone)} of {table} ({less.how}): {found - expected} too many, {expected - found} missing"]


def test_random_queries(ws: "Workspace") -> None:
    rng = Random(90)
    queries = [Queries(rng).query(rng.randint(2, 3)) for _ in range(4)]
    verify(Bench(ws, random_batch(rng, Profile(), CASES)), queries, question_failures)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2000, 2020))
def test_many_random_queries(ws: "Workspace", seed: int) -> None:
    rng = Random(seed)
    queries = [Queries(rng).query(rng.randint(2, 4)) for _ in range(10)]
    verify(Bench(ws, random_batch(rng, Profile(), CASES)), queries, question_failures)
