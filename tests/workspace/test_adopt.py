"""Frames over files, tables and memory become datasets: their rows are those of plain Spark, their lineage is exact."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.orc as orc
import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - the name every PySpark user knows

import whence
from whence.model.errors import NotSupported, UserError

ROWS = [(1, "a", 2.5), (2, "b", None), (3, "a", 4.0), (4, "c", 1.0), (5, "b", 3.5)]
COLUMNS = ["id", "k", "x"]


@pytest.fixture
def session(ws: whence.Workspace) -> SparkSession:
    """The session of a program: not the one that the workspace uses."""
    return ws.spark.newSession()


def _files(folder: Path) -> None:
    table = pa.Table.from_pylist([dict(zip(COLUMNS, row, strict=True)) for row in ROWS])
    texts = ["" if x is None else str(x) for *_, x in ROWS]
    lines = [f"{id},{k},{x}" for (id, k, _), x in zip(ROWS, texts, strict=True)]
    (folder / "t.csv").write_text("\n".join(["id,k,x", *lines]) + "\n")
    (folder / "t.json").write_text("\n".join(json.dumps(row) for row in table.to_pylist()) + "\n")
    pq.write_table(table, folder / "t.parquet")
    orc.write_table(table, folder / "t.orc")
    (folder / "lines.txt").write_text("a b\nb\na\n")


READERS: dict[str, Callable[[SparkSession, Path], DataFrame]] = {
    "csv": lambda s, f: s.read.csv(str(f / "t.csv"), header=True, schema="id int, k string, x double"),
    "csv of guessed types": lambda s, f: (
        s.read.option("inferSchema", True).option("header", True).csv(str(f / "t.csv"))
    ),
    "json": lambda s, f: s.read.json(str(f / "t.json")),
    "parquet": lambda s, f: s.read.parquet(str(f / "t.parquet")),
    "orc": lambda s, f: s.read.orc(str(f / "t.orc")),
    "list": lambda s, f: s.createDataFrame(ROWS, "id int, k string, x double"),
    "pandas": lambda s, f: s.createDataFrame(pd.DataFrame(ROWS, columns=COLUMNS)),
    "rdd": lambda s, f: s.sparkContext.parallelize(ROWS, 3).toDF("id int, k string, x double"),
    "cached": lambda s, f: s.read.parquet(str(f / "t.parquet")).cache(),
}


@pytest.mark.parametrize("reader", READERS)
def test_every_leaf_becomes_a_source_with_its_rows_and_exact_lineage(
    ws: whence.Workspace, session: SparkSession, tmp_path: Path, reader: str
) -> None:
    _files(tmp_path)
    frame = READERS[reader](session, tmp_path)
    totals = frame.groupBy("k").agg(F.count("*").alias("n"), F.max("id").alias("last")).orderBy("k")
    made = ws.adopt(totals, name="totals")
    assert made.to_arrow().to_pylist() == [row.asDict() for row in totals.collect()]
    assert [field.type for field in made.schema] == [field.dataType.simpleString() for field in totals.schema]
    assert made.lineage.exact
    for rid, row in enumerate(made.to_arrow().to_pylist()):
        source = made.lineage.backward([rid])
        expected = {id for id, k, _ in ROWS if k == row["k"]}
        assert set(source.to_arrow().column("id").to_pylist()) == expected


def test_the_lineage_of_a_join_makes_each_row_again_in_duckdb(
    ws: whence.Workspace, session: SparkSession, tmp_path: Path
) -> None:
    _files(tmp_path)
    names = session.createDataFrame([("a", "first"), ("b", "second"), ("b", "again")], "k string, title string")
    rows = session.read.parquet(str(tmp_path / "t.parquet"))
    rows.createOrReplaceTempView("facts")
    names.createOrReplaceTempView("names")
    query = "select k, title, count(*) n, sum(x) s from facts join names using (k) where id > 1 group by k, title"
    made = ws.adopt(session.sql(query), name="joined")
    for rid, row in enumerate(made.to_arrow().to_pylist()):
        facts, titles = (made.lineage.backward([rid], to=source).to_pandas() for source in ("t", "rows"))
        with duckdb.connect() as database:
            again = database.register("facts", facts).register("names", titles).execute(query).fetchall()
        assert again == [tuple(row.values())]


def test_a_leaf_is_one_source_until_its_file_changes(
    ws: whence.Workspace, session: SparkSession, tmp_path: Path
) -> None:
    _files(tmp_path)

    def read() -> DataFrame:
        return session.read.csv(str(tmp_path / "t.csv"), header=True)

    ws.adopt(read().where("k = 'a'"), name="one")
    ws.adopt(read().where("k = 'b'"), name="two")
    assert [(each.name, each.version) for each in ws.datasets()] == [("t", 1), ("one", 1), ("two", 1)]
    (tmp_path / "t.csv").write_text("id,k,x\n9,a,1\n")
    ws.adopt(read().where("k = 'a'"), name="one")
    assert ws["t"].version == 2
    assert ws["one"].to_arrow().to_pylist() == [{"id": "9", "k": "a", "x": "1"}]
    with pytest.raises(UserError, match="read by a program"):
        ws.reload("t")
    ws.adopt(session.read.csv(str(tmp_path / "t.csv")), name="raw")  # other options: another source
    assert ws["t_2"].columns == ["_c0", "_c1", "_c2"]


def test_a_table_of_the_catalog_is_a_source_of_its_name(ws: whence.Workspace, session: SparkSession) -> None:
    session.createDataFrame(ROWS, "id int, k string, x double").write.mode("overwrite").saveAsTable("adopted_items")
    try:
        made = ws.adopt(session.table("adopted_items").where("id = 3"), name="third")
        assert made.lineage.backward([0], to="adopted_items").to_arrow().column("id").to_pylist() == [3]
    finally:
        session.sql("drop table adopted_items")


UNREPEATABLE: dict[str, Callable[[DataFrame], DataFrame]] = {
    "sample": lambda df: df.sample(fraction=0.5, seed=3).where("k != 'c'"),
    "random": lambda df: df.withColumn("r", F.rand(7)).where("r > 0.3"),
    "numbers": lambda df: df.withColumn("n", F.monotonically_increasing_id()).orderBy("n"),
    "limit": lambda df: df.limit(3).groupBy("k").count(),
    "split": lambda df: df.randomSplit([0.6, 0.4], seed=1)[0].withColumn("y", F.col("x") * 2),
}


@pytest.mark.parametrize("query", UNREPEATABLE)
def test_what_another_evaluation_could_change_is_evaluated_as_it_is(
    ws: whence.Workspace, session: SparkSession, query: str
) -> None:
    rows = session.createDataFrame(ROWS * 5, "id int, k string, x double")
    frame = UNREPEATABLE[query](rows.coalesce(1) if query == "limit" else rows.repartition(3))
    made = ws.adopt(frame, name="made")
    plain = [row.asDict() for row in frame.collect()]
    assert sorted(map(str, made.to_arrow().to_pylist())) == sorted(map(str, plain))
    step = ws["made_input"]
    assert made.lineage.exact
    assert not step.lineage.exact  # each row is there five times
    assert step.lineage.backward([0], to="rows").count == 25


@pytest.mark.parametrize("query", UNREPEATABLE)
def test_rows_that_their_values_tell_apart_keep_exact_lineage_through_what_is_evaluated_as_it_is(
    ws: whence.Workspace, session: SparkSession, query: str
) -> None:
    rows = [(n, "abc"[n % 3], None if n % 4 == 0 else float(n)) for n in range(24)]
    source = session.createDataFrame(rows, "id int, k string, x double")
    source = source.coalesce(1) if query == "limit" else source.repartition(3)
    frame = UNREPEATABLE[query](source.where("id <> 5").withColumnRenamed("id", "number"))
    made = ws.adopt(frame, name="made")
    plain = [row.asDict() for row in frame.collect()]
    step, stored = ws["made_input"], made.to_arrow().to_pylist()
    assert sorted(map(str, stored)) == sorted(map(str, plain))
    assert (made.lineage.exact, step.lineage.exact) == (True, True)
    for row, values in enumerate(step.to_arrow().to_pylist()):
        assert step.lineage.backward([row], to="rows").ids.tolist() == [values["number"]]
        assert [(each.column, each.role) for each in step.lineage.cell(row, "k")] == [("k", "copied")]
    for row, values in enumerate(stored):
        numbers = [values["number"]] if "number" in values else [
            each["number"] for each in step.to_arrow().to_pylist() if each["k"] == values["k"]
        ]  # fmt: skip
        assert made.lineage.backward([row], to="rows").ids.tolist() == sorted(numbers)


def test_the_name_of_a_file_is_that_of_the_file_the_program_read(
    ws: whence.Workspace, session: SparkSession, tmp_path: Path
) -> None:
    _files(tmp_path)
    frame = session.read.text(str(tmp_path / "lines.txt")).withColumn("file", F.input_file_name())
    made = ws.adopt(frame.where("value = 'b'"), name="made")
    assert made.to_arrow().column("file").to_pylist() == [f"file://{tmp_path}/lines.txt"]


def test_a_setting_of_the_program_holds_in_the_workspace(ws: whence.Workspace, session: SparkSession) -> None:
    frame = session.createDataFrame([("2024-01-01 00:30:00",)], "t string")
    for zone in ("UTC", "Asia/Tokyo"):
        session.conf.set("spark.sql.session.timeZone", zone)
        seconds = frame.select(F.unix_timestamp(F.to_timestamp("t")).alias("seconds"))
        assert ws.adopt(seconds, name="seconds").to_arrow().to_pylist() == [row.asDict() for row in seconds.collect()]


def test_ctes_subqueries_and_unions_of_one_frame_keep_their_meaning(
    ws: whence.Workspace, session: SparkSession
) -> None:
    frame = session.createDataFrame(ROWS, "id int, k string, x double")
    frame.createOrReplaceTempView("facts")
    queries: list[Any] = [
        session.sql("with c as (select * from facts where id > 1) select a.k, b.id from c a join c b on a.k = b.k"),
        session.sql("select k from facts f where x > (select avg(x) from facts g where g.k = f.k)"),
        session.sql("select k from facts where id in (select max(id) from facts group by k)"),
        frame.union(frame).union(frame.where("id = 1")),
        frame.alias("l").join(frame.alias("r"), F.col("l.k") == F.col("r.k"), "left_anti"),
        frame.join(frame, "k").select("k"),
    ]
    for query in queries:
        made = ws.adopt(query, name="made")
        assert made.lineage.exact
        assert sorted(map(str, made.to_arrow().to_pylist())) == sorted(str(row.asDict()) for row in query.collect())


def test_a_stream_is_refused_in_one_sentence(ws: whence.Workspace, session: SparkSession) -> None:
    with pytest.raises(NotSupported, match="A stream has no end"):
        ws.adopt(session.readStream.format("rate").load(), name="stream")


def test_a_folder_is_found_or_opened_and_named(
    ws: whence.Workspace, session: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WHENCE_WORKSPACE", str(tmp_path / "named.whence"))
    frame = session.range(5).where("id > 2")
    first, second = whence.adopt(frame), whence.adopt(frame, name="again")
    assert first.workspace_path == second.workspace_path == tmp_path / "named.whence"
    assert first.lineage.backward([0, 1], to="numbers").ids.tolist() == [3, 4]
    assert second.name == "again"
