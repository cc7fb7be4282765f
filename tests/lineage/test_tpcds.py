"""The queries of TPC-DS: rows equal DuckDB's, and lineage is exact, both ways, and enough to give each row again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import whence
from bench._tpcds import Databases, generate_tables, judge, query_names

FEW_ROWS = 5


@pytest.fixture(scope="module")
def databases(tmp_path_factory: pytest.TempPathFactory, spark_home: whence.Workspace) -> Iterator[Databases]:
    assert spark_home.spark is not None
    folder = tmp_path_factory.mktemp("tpcds")
    with whence.open(folder / "tpcds.whence") as ws:
        yield Databases.load(ws, generate_tables(folder / "tables", "0.01"))


@pytest.mark.long
@pytest.mark.parametrize("number", range(1, 100))
def test_tpcds_rows_and_lineage_are_right(databases: Databases, number: int) -> None:
    variants = [name for name in query_names() if name.removeprefix("q").rstrip("ab") == str(number)]
    assert variants
    for query in variants:
        verdict = judge(databases, query, FEW_ROWS)
        assert not verdict.error
        assert verdict.is_equal
        assert verdict.is_exact, verdict.strategy
        assert (verdict.lost, verdict.one_way) == (0, 0)
