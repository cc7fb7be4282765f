"""The evaluator itself, against DuckDB: same rows from the same SQL, same lineage from lists of row ids."""

from collections import Counter
from random import Random

import pytest

from tests.oracles.batches import with_cases
from tests.oracles.cases import SCHEMAS, Batch, Profile, random_batch, random_case, single
from tests.oracles.checking import gives_rows_again
from tests.oracles.duck import Tracing, connect, single_block_sql
from tests.oracles.evaluate import Row, prepare
from tests.oracles.queries import Aggregate, Filter, Join, Query, Scan, Windowed, WithScalar
from tests.oracles.random_queries import Queries
from tests.oracles.render import to_sql


def as_texts(row: Row) -> tuple[object, frozenset[str]]:
    return row.values, frozenset(f"{table}:{rid}" for table, rid in row.lineage)


def check_against_duckdb(batch: Batch, queries: list[Query], rng: Random) -> None:
    """Rows by the SQL that Spark gets too, lineage by DuckDB's own rewriting."""
    connection = connect({name: batch.columns(name) for name in SCHEMAS}, batch.rows)
    for query in queries:
        evaluate = prepare(query)
        rows = [row for number in range(len(batch.cases)) for row in evaluate(batch.traced(number))]
        sql = to_sql(query, rng.choice(("nested", "cte")))
        assert Counter(connection.execute(sql).fetchall()) == Counter(row.values for row in rows), (
            f"{sql}\n{batch.rows}"
        )
        if any(isinstance(step, Windowed | WithScalar) for inner in query.inputs for step in inner.walk()):
            continue  # whether a cell shows what a window below it read, only the evaluator knows
        found = Counter((row[:-1], frozenset(row[-1])) for row in connection.execute(Tracing().sql(query)).fetchall())
        assert found == Counter(map(as_texts, rows)), f"{sql}\n{batch.rows}"


@pytest.mark.parametrize("seed", range(3))
def test_batches_equal_duckdb(seed: int) -> None:
    rng = Random(seed)
    queries = [with_cases(Queries(rng).query(rng.randint(1, 4))) for _ in range(40)]
    check_against_duckdb(random_batch(rng, Profile(), 12), queries, rng)


@pytest.mark.parametrize("seed", range(2))
def test_windows_and_subqueries_equal_duckdb(seed: int) -> None:
    rng = Random(50 + seed)
    queries = [with_cases(Queries(rng).windowed(rng.randint(1, 3))) for _ in range(60)]
    queries += [with_cases(Queries(rng).with_scalar(rng.randint(1, 3))) for _ in range(30)]
    check_against_duckdb(random_batch(rng, Profile(), 12), queries, rng)


@pytest.mark.parametrize("seed", range(3))
def test_limits_and_whole_tables_equal_duckdb(seed: int) -> None:
    rng = Random(100 + seed)
    queries = [Queries(rng, limits=True).query(rng.randint(1, 4)) for _ in range(40)]
    check_against_duckdb(single(random_case(rng, Profile(rows=(3, 7)))), queries, rng)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1000, 1020))
def test_many_more_equal_duckdb(seed: int) -> None:
    rng = Random(seed)
    check_against_duckdb(random_batch(rng, Profile(), 12), [with_cases(Queries(rng).query(4)) for _ in range(60)], rng)
    queries = [Queries(rng, limits=True).query(4) for _ in range(60)]
    check_against_duckdb(single(random_case(rng, Profile(rows=(3, 7)))), queries, rng)


def single_block(rng: Random) -> Query:
    """Select, join and group in one SELECT."""
    maker = Queries(rng)
    query = maker.scan()
    if rng.random() < 0.7:
        right = maker.scan()
        query = Join(query, right, rng.choice(("inner", "left")), maker.join_condition(query, right))
    if rng.random() < 0.7:
        query = Filter(query, maker.expressions(query).condition(2))
    if rng.random() < 0.7:
        query = Aggregate(query, (maker.key(query),), (maker.agg(query),))
    return query


def test_lineage_of_one_select_equals_list_of_rowid() -> None:
    rng = Random(7)
    batch = single(random_case(rng, Profile(rows=(5, 7))))
    connection = connect(SCHEMAS, batch.rows)
    for _ in range(80):
        query = single_block(rng)
        expected = Counter(as_texts(row) for row in prepare(query)(batch.traced(0)))
        tables = [step.table for step in query.walk() if isinstance(step, Scan)]
        found: Counter[tuple[object, frozenset[str]]] = Counter()
        for row in connection.execute(single_block_sql(query)).fetchall():
            ids = zip(tables, row[len(query.names) :], strict=True)
            lineage = frozenset(f"{table}:{rid}" for table, rids in ids for rid in rids if rid is not None)
            found[row[: len(query.names)], lineage] += 1
        assert found == expected, f"{single_block_sql(query)}\n{batch.rows}"


def test_traced_rows_alone_give_the_row_again() -> None:
    rng = Random(11)
    for _ in range(200):
        query, batch = Queries(rng).query(rng.randint(1, 4)), single(random_case(rng, Profile()))
        if not gives_rows_again(query):
            continue
        evaluate, tables = prepare(query), batch.traced(0)
        for row in evaluate(tables):
            kept = {name: [one for one in rows if one.key in row.lineage] for name, rows in tables.items()}
            assert row.values in [again.values for again in evaluate(kept)], f"{to_sql(query)}\n{batch.rows}\n{row}"


def test_a_batch_is_its_cases_side_by_side() -> None:
    rng = Random(13)
    for _ in range(60):
        query, batch = with_cases(Queries(rng).query(3)), random_batch(rng, Profile(rows=(0, 4)), 5)
        evaluate = prepare(query)
        whole = {name: [row for number in range(5) for row in batch.traced(number)[name]] for name in SCHEMAS}
        apart = Counter(row[:3] for number in range(5) for row in evaluate(batch.traced(number)))
        assert Counter(row[:3] for row in evaluate(whole)) == apart, to_sql(query)
