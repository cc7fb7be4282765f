"""ws.sql takes queries; what Spark calls a command is refused before it does anything."""

from __future__ import annotations

import pytest

import whence
from whence.model.errors import BadQuery

QUERIES = [
    "select x from t",
    "with q as (select x from t) select x from q",
    "values (1), (2)",
    "table t",
    "from t select x",
    "from t |> where x > 1",
    "-- show tables\n/* set a = 1 */ (select x from t)",
    "select x from t union all select x from t",
    "select 'create view' as x",
    "with recursive r(n) as (select 1 union all select n + 1 from r where n < 3) select n from r",
]
CHANGES = {
    "create view v as select 1": "CREATE VIEW",
    "/* a */ create or replace -- b\n temporary view refused as select 1": "CREATE VIEW",
    "create table refused using parquet as select 1 as x": "CREATE TABLE",
    "drop view if exists keep": "DROP VIEW",
    "set spark.whence.test = 1": "SET",
    "cache table t": "CACHE TABLE",
    "use default": "USE",
    "declare variable refused int default 5": "DECLARE VARIABLE",
    "execute immediate 'create temporary view refused as select 1'": "EXECUTE IMMEDIATE",
}
TELLS = {
    "show tables": "SHOW TABLES",
    "describe t": "DESCRIBE",
    "explain select 1": "EXPLAIN",
    "set": "SET",
}
WRITES = {
    "insert into stored values (5)": "INSERT",
    "with q as (select 6 as x) insert into stored select x from q": "INSERT",
    "from t insert into stored select x insert into stored select x + 1": "INSERT",
    "truncate table stored": "TRUNCATE TABLE",
}


def test_every_form_of_query_goes_on(ws: whence.Workspace) -> None:
    ws.create("t", [(1,), (2,)], schema="x int")
    counts = [ws.sql(text, name="out").count for text in QUERIES]
    assert counts == [2, 2, 2, 2, 2, 1, 2, 4, 1, 3]


def test_commands_are_refused_and_not_run(ws: whence.Workspace) -> None:
    ws.create("t", [(1,), (2,)], schema="x int")
    ws.spark.sql("create temporary view keep as select 1")
    for text, name in CHANGES.items():
        with pytest.raises(BadQuery) as refused:
            ws.sql(text, name="out")
        expected = f"{name} changes Spark's session and gives no rows. Run it with ws.spark.sql(...)."
        assert str(refused.value) == expected
    views = {table.name for table in ws.spark.catalog.listTables()}
    assert "keep" in views
    assert not views & {"v", "refused"}
    assert ws.spark.conf.get("spark.whence.test", None) is None
    assert [each.name for each in ws.datasets()] == ["t"]
    ws.spark.catalog.dropTempView("keep")


def test_what_only_tells_is_refused(ws: whence.Workspace) -> None:
    ws.create("t", [(1,)], schema="x int")
    for text, name in TELLS.items():
        with pytest.raises(BadQuery) as refused:
            ws.sql(text)
        assert name in str(refused.value)
        assert str(refused.value).endswith("Run it with ws.spark.sql(...).")


def test_writing_to_tables_is_refused(ws: whence.Workspace, tmp_path: object) -> None:
    ws.create("t", [(1,)], schema="x int")
    ws.spark.sql(f"create table stored (x int) using parquet location '{tmp_path}/stored'")
    try:
        for text, name in WRITES.items():
            with pytest.raises(BadQuery) as refused:
                ws.sql(text)
            assert str(refused.value) == f"{name} changes tables and gives no rows. Run it with ws.spark.sql(...)."
        assert ws.spark.table("stored").count() == 0
    finally:
        ws.spark.sql("drop table stored")


def test_a_wrong_query_is_told_as_before(ws: whence.Workspace) -> None:
    with pytest.raises(BadQuery, match="There is no dataset nothing"):
        ws.sql("select * from nothing")
