"""Queries as analysts write them, as text: rows, lineage and marks against plain Spark, DuckDB and possible worlds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

import whence
from tests.oracles.analyst_checks import AnalystBench, Verdict
from tests.oracles.analyst_queries import CONSTRUCTS, write_few, write_query
from tests.oracles.analyst_writer import WrittenQuery
from tools.sql_constructs import REFUSED, SQL_CONSTRUCTS, SqlConstruct

FEW, MANY = 18, 40
SEEDS = 26
"""More than 1,000 queries in all. Each seed first makes a database, which costs as much as five queries."""

STANDING = {each.name: each.standing for each in SQL_CONSTRUCTS}


@dataclass
class AnalystCounts:
    """What a run has looked at."""

    queries: int = 0
    exact: int = 0
    coarse: Counter[str] = field(default_factory=Counter)
    constructs: Counter[str] = field(default_factory=Counter)
    made_again: int = 0
    worlds: int = 0
    marks: int = 0
    in_duckdb: int = 0

    def add(self, verdict: Verdict) -> None:
        self.queries += 1
        self.exact += verdict.is_exact
        self.coarse.update([] if verdict.is_exact else [verdict.reason])
        self.constructs.update(verdict.query.used)
        self.made_again += verdict.cuts
        self.worlds += verdict.worlds
        self.marks += verdict.marks
        self.in_duckdb += verdict.was_in_duckdb

    def __str__(self) -> str:
        return (
            f"{self.queries} queries, {self.exact} exact, {self.made_again} rows made again, {self.worlds} worlds, "
            f"{self.marks} marks, {self.in_duckdb} in DuckDB\ncoarse: {dict(self.coarse)}\n{dict(self.constructs)}"
        )


def write_many(dice: Random, count: int) -> Iterator[WrittenQuery]:
    """Each construct on top as often as any other, in an order of their own."""
    names = dice.sample(list(CONSTRUCTS), len(CONSTRUCTS))
    for number in range(count):
        yield write_query(dice, names[number % len(names)])


def check(bench: AnalystBench, queries: Iterable[WrittenQuery], counts: AnalystCounts) -> list[str]:
    """Judge queries; the text of each that goes wrong, with what is wrong."""
    failures = []
    for query in queries:
        verdict = bench.judge(query)
        counts.add(verdict)
        problems = [*verdict.problems, *unexpected(verdict)]
        if problems:
            failures.append("\n".join([str(query), *problems[:4]]))
    return failures


def unexpected(verdict: Verdict) -> list[str]:
    """The page of operators says which constructs are exact; a query of such alone is."""
    if verdict.problems or verdict.is_exact == all(STANDING[name] == "exact" for name in verdict.query.used):
        return []
    return [f"not as documented: {verdict.reason}"]


def show(failures: list[str], bench: AnalystBench) -> str:
    tables = [f"{table}: {bench.database.query(table)}" for table in bench.database.rows]
    return "\n\n".join([f"{len(failures)} failures", *failures[:5], *tables])


def test_every_construct_is_on_the_page() -> None:
    assert {each.name for each in SQL_CONSTRUCTS} == set(CONSTRUCTS)


def test_every_construct_in_few_queries(ws: whence.Workspace) -> None:
    """Few queries with every construct in them, over one database."""
    dice, counts = Random(26), AnalystCounts()
    bench = AnalystBench(ws, dice, rows_cut=1, values=1)
    failures = check(bench, write_few(dice, FEW), counts)
    assert not failures, show(failures, bench)
    assert set(counts.constructs) == set(CONSTRUCTS)
    assert min(counts.made_again, counts.worlds, counts.marks, counts.in_duckdb) > 0, counts


@pytest.mark.long
@pytest.mark.parametrize("seed", range(SEEDS))
def test_many_queries_as_analysts_write_them(ws: whence.Workspace, tally: dict[str, Any], seed: int) -> None:
    dice, counts = Random(1000 + seed), tally.setdefault("analysts", AnalystCounts())
    bench = AnalystBench(ws, dice, rows_cut=3, values=5)
    failures = check(bench, write_many(Random(seed), MANY), counts)
    assert not failures, show(failures, bench)


@pytest.mark.parametrize("refused", REFUSED, ids=lambda each: each.name)
def test_what_the_page_calls_refused_is_refused(ws: whence.Workspace, refused: SqlConstruct) -> None:
    ws.create("t", [(1,)], schema="k int")
    with pytest.raises(whence.WhenceError, match=r"ws\.spark\.sql"):
        ws.sql(refused.example, name="out")
