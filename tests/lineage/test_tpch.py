"""The 22 queries of TPC-H: lineage equals the lists of row ids that DuckDB gathers, both ways, and is exact."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import whence

FOLDER = Path(__file__).parents[2] / "bench" / "tpch"
QUERIES = sorted(path.stem for path in (FOLDER / "queries").iterdir())
TABLES = ("region", "nation", "supplier", "customer", "part", "partsupp", "orders", "lineitem")
FEW = ("q02", "q13", "q20", "q21")
"""What no other query of the default tests is like: correlated subqueries, nested ones, groups of groups."""


@dataclass(frozen=True)
class Databases:
    """The same tables in a workspace and in DuckDB, which knows each row by the rid it has in the workspace."""

    ws: whence.Workspace
    duck: duckdb.DuckDBPyConnection


def generate(folder: Path, scale: str) -> None:
    program = Path(sys.executable).parent / "tpchgen-cli"
    command: list[str | Path] = [program, "parquet", "-s", scale, "--output-dir", folder]
    subprocess.run(command, check=True, capture_output=True)


def load(folder: Path, scale: str) -> Iterator[Databases]:
    generate(folder, scale)
    duck = duckdb.connect()
    with whence.open(folder / "tpch.whence") as ws:
        for name in TABLES:
            dataset = ws.create(name, ws.spark.read.parquet(str(folder / f"{name}.parquet")))
            rows = dataset.to_arrow()
            given = rows.append_column("rid", pa.array(np.arange(len(rows), dtype=np.int64)))
            duck.register("given", given)
            duck.execute(f"create table {name} as from given")
        yield Databases(ws, duck)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory, spark_home: whence.Workspace) -> Iterator[Databases]:
    assert spark_home.spark is not None
    yield from load(tmp_path_factory.mktemp("tpch"), "0.01")


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory, spark_home: whence.Workspace) -> Iterator[Databases]:
    assert spark_home.spark is not None
    yield from load(tmp_path_factory.mktemp("tpch"), "0.1")


@pytest.mark.parametrize("query", FEW)
def test_tpch_lineage_equals_lists_of_row_ids(small: Databases, query: str) -> None:
    check(small, query)


@pytest.mark.long
@pytest.mark.parametrize("query", QUERIES)
def test_tpch_lineage_equals_lists_of_row_ids_at_scale(large: Databases, query: str) -> None:
    check(large, query)


def check(databases: Databases, query: str) -> None:
    text = (FOLDER / "queries" / f"{query}.sql").read_text()
    made = databases.ws.sql(text, name=query)
    assert made.lineage.exact, made.lineage.strategy
    rows = made.to_arrow()
    assert len(rows) == len(databases.duck.execute(text).fetchall())

    expected = databases.duck.sql((FOLDER / "lineage" / f"{query}.sql").read_text()).to_arrow_table()
    lists = [name for name in expected.column_names if name.endswith("_rids")]
    keys = [name for name in expected.column_names if name not in lists]
    places = {_key(row): number for number, row in enumerate(expected.select(keys).to_pylist())}
    order = [places[_key(row)] for row in rows.select(keys).to_pylist()]
    named = {name.removesuffix("_rids") for name in lists}
    for table in TABLES:
        behind = _by_row(made, table)
        if table not in named:
            assert not any(len(ids) for ids in behind), f"{table} only influences"
            continue
        defined = [np.unique(expected.column(f"{table}_rids")[place].values.to_numpy()) for place in order]
        for number, (found, wanted) in enumerate(zip(behind, defined, strict=True)):
            assert np.array_equal(found, wanted), f"row {number} of {query}, {table}"
        _check_forward(databases.ws, query, table, defined)


def _key(row: dict[str, object]) -> tuple[object, ...]:
    return tuple(int(value) if isinstance(value, int | float) else value for value in row.values())


def _by_row(made: whence.Dataset, table: str) -> list[np.ndarray]:
    """The rows of one table behind each row; none of a table that the query does not name."""
    try:
        outs, ids = made.lineage.pairs(to=table)
    except whence.NotRelated:
        return []
    return [np.sort(ids[outs == number]) for number in range(made.count)]


def _check_forward(ws: whence.Workspace, query: str, table: str, defined: list[np.ndarray]) -> None:
    """From a few rows of the table, those that take part and others, to the rows of the answer."""
    rng = np.random.default_rng(1)
    used = np.unique(np.concatenate([np.empty(0, np.int64), *defined]))
    some = [*rng.choice(used, min(2, len(used)), replace=False).tolist(), int(rng.integers(ws[table].count))]
    for rid in some:
        reached = [number for number, ids in enumerate(defined) if rid in ids]
        assert ws[table].lineage.forward([rid], to=query).ids.tolist() == reached
