"""Tables that a program writes, by SQL or by a writer, are outputs, and keep lineage where the program reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - the name every PySpark user knows
from pyspark.sql.utils import AnalysisException

import whence
from whence.engine.frame_actions import observe_actions
from whence.workspace.program_outputs import KeptOutput, ProgramOutputs

ROWS = [(1, "a", 2.5), (2, "b", None), (3, "a", 4.0), (4, "c", 1.0), (5, "b", 3.5)]
TYPES = "id int, k string, x double"
Rows = list[tuple[object, ...]]
Program = Callable[[SparkSession], object]


@pytest.fixture
def session(ws: whence.Workspace, tmp_path: Path) -> Iterator[SparkSession]:
    """The session of a program, with a database of its own and a view of a file."""
    spark = ws.spark.newSession()
    lines = [",".join("" if value is None else str(value) for value in row) for row in ROWS]
    (tmp_path / "parts.csv").write_text("\n".join(["id,k,x", *lines]) + "\n")
    spark.sql(f"create database written location '{tmp_path / 'written'}'")
    spark.sql("use written")
    spark.read.csv(str(tmp_path / "parts.csv"), header=True, schema=TYPES).createOrReplaceTempView("parts")
    yield spark
    spark.sql("use default")
    spark.sql("drop database written cascade")


def _run(ws: whence.Workspace, session: SparkSession, program: Program) -> list[KeptOutput]:
    outputs = ProgramOutputs(lambda frame: ws.context)
    with observe_actions(__file__, outputs.watch, outputs.take_back):
        program(session)
    return outputs.kept


def _rows(frame: DataFrame) -> Rows:
    return sorted((tuple(row) for row in frame.collect()), key=str)


def _kept_rows(ws: whence.Workspace, output: KeptOutput) -> Rows:
    assert output.record is not None, output
    return _rows(ws[output.record.label].df)


def _sources(ws: whence.Workspace, output: KeptOutput) -> list[tuple[tuple[object, ...], list[int]]]:
    """Return each row of an output with the ids in the rows of the file behind it."""
    assert output.is_exact, output
    assert output.record is not None
    made = ws[output.record.label]
    rows = [tuple(row.values()) for row in made.to_arrow().to_pylist()]
    behind = [made.lineage.backward([rid], to="parts").to_arrow().column("id").to_pylist() for rid in range(len(rows))]
    return sorted(zip(rows, map(sorted, behind), strict=True), key=str)


def _insert(frame: DataFrame, table: str, *, overwrite: bool = False) -> DataFrame:
    frame.write.insertInto(table, overwrite)
    return frame


TOTALS = "select k, count(*) n, sum(x) s from parts group by k"
MADE_OF_TOTALS = [(("a", 2, 6.5), [1, 3]), (("b", 2, 3.5), [2, 5]), (("c", 1, 1.0), [4])]

WRITES: dict[str, Callable[[SparkSession], object]] = {
    "create table as": lambda s: s.sql(f"create table totals as {TOTALS}"),
    "create if not exists": lambda s: s.sql(f"CREATE TABLE IF NOT EXISTS totals USING orc AS {TOTALS}"),
    "insert": lambda s: (
        s.sql("create table totals (k string, n bigint, s double) using parquet"),
        s.sql(f"insert into totals {TOTALS}"),
    ),
    "insert with a comment before": lambda s: (
        s.sql("create table totals (k string, n bigint, s double) using parquet"),
        s.sql(f"-- what we have\n/* so far */ insert into totals {TOTALS}"),
    ),
    "insert of a WITH": lambda s: (
        s.sql("create table totals (k string, n bigint, s double) using parquet"),
        s.sql(f"with t as ({TOTALS}) insert into totals select * from t"),
    ),
    "insert by name": lambda s: (
        s.sql("create table totals (k string, n bigint, s double) using parquet"),
        s.sql(f"insert into totals by name select s, n, k from ({TOTALS})"),
    ),
    "insert of named columns": lambda s: (
        s.sql("create table totals (k string, n bigint, s double) using parquet"),
        s.sql(f"insert into totals (s, k, n) select s, k, n from ({TOTALS})"),
    ),
    "insert with parameters": lambda s: (
        s.sql("create table totals (k string, n bigint, s double) using parquet"),
        s.sql("insert into totals select k, count(*), sum(x) from parts where id < :m group by k", args={"m": 9}),
    ),
    "insert with positions": lambda s: (
        s.sql("create table totals (k string, n bigint, s double) using parquet"),
        s.sql("insert into totals select k, count(*), sum(x) from parts where id < ? group by k", [9]),
    ),
    "insert of a frame": lambda s: (
        s.sql("create table totals (k string, n bigint, s double) using parquet"),
        s.sql("insert into totals select * from {rows}", rows=s.sql(TOTALS)),
    ),
    "overwrite": lambda s: (
        s.sql("create table totals as select 'old' k, 1L n, 0D s"),
        s.sql(f"insert overwrite table totals {TOTALS}"),
    ),
    "partitions": lambda s: (
        s.sql("create table totals (n bigint, s double, k string) using parquet partitioned by (k)"),
        s.sql("insert into totals select n, s, k from (" + TOTALS + ")"),
    ),
    "saveAsTable": lambda s: s.sql(TOTALS).write.saveAsTable("totals"),
    "saveAsTable of orc": lambda s: s.sql(TOTALS).write.format("orc").mode("overwrite").saveAsTable("totals"),
    "insertInto": lambda s: (
        s.sql("create table totals (k string, n bigint, s double) using parquet"),
        _insert(s.sql(TOTALS), "totals"),
    ),
    "insertInto with other names": lambda s: (
        s.sql("create table totals (k string, n bigint, s double) using parquet"),
        _insert(s.sql(f"select k as s, cast(n as int) as k, s as n from ({TOTALS})"), "totals"),
    ),
    "insertInto over rows": lambda s: (
        s.sql("create table totals as select 'old' k, 1L n, 0D s"),
        _insert(s.sql(TOTALS), "totals", overwrite=True),
    ),
}


QUICK = {"create table as", "insert of named columns", "insert with parameters", "partitions", "saveAsTable of orc"} | {
    "insertInto with other names"
}
"""Run with every change."""


@pytest.mark.parametrize(
    "way", [pytest.param(each, marks=() if each in QUICK else pytest.mark.long) for each in WRITES]
)
def test_a_table_that_is_written_and_read_again_keeps_lineage_to_the_file(
    ws: whence.Workspace, session: SparkSession, way: str
) -> None:
    read: list[Rows] = []

    def program(spark: SparkSession) -> None:
        WRITES[way](spark)
        again = spark.table("totals").select("k", "n", "s")
        again.collect()
        read.append(_rows(again))

    *_, written, collected, _again = _run(ws, session, program)
    assert "totals written, line" in written.sentence
    assert written.record is not None
    assert written.record.name == "totals"
    assert _kept_rows(ws, written) == _rows(session.table("totals"))
    assert read == [[row for row, _ in MADE_OF_TOTALS]]
    assert _sources(ws, collected) == MADE_OF_TOTALS


def test_every_table_of_a_statement_with_several_inserts_is_kept(ws: whence.Workspace, session: SparkSession) -> None:
    def program(spark: SparkSession) -> None:
        spark.sql("create table low (id int, k string) using parquet")
        spark.sql("create table high (id int) using parquet")
        spark.sql(
            "from parts insert into low select id, k where id < 3 insert overwrite high select id * 10 where id >= 3"
        )

    low, high = _run(ws, session, program)
    assert _sources(ws, low) == [((1, "a"), [1]), ((2, "b"), [2])]
    assert _sources(ws, high) == [((30,), [3]), ((40,), [4]), ((50,), [5])]
    assert [each.record and each.record.name for each in (low, high)] == ["low", "high"]


def test_a_table_that_sql_replaces_in_another_catalog_is_an_output(ws: whence.Workspace, session: SparkSession) -> None:
    session.conf.set("spark.sql.catalog.shop", "org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTableCatalog")
    session.conf.set("spark.sql.catalog.shop.url", "jdbc:derby:memory:shop;create=true")
    session.conf.set("spark.sql.catalog.shop.driver", "org.apache.derby.iapi.jdbc.AutoloadedDriver")

    def program(spark: SparkSession) -> None:
        spark.sql("create or replace table shop.picked as select id from parts where id > 3")
        spark.sql("insert into shop.picked select id * 10 from parts where id = 1")

    made, added = _run(ws, session, program)
    assert _rows(session.table("shop.picked")) == [(10,), (4,), (5,)]
    assert _sources(ws, made) == [((4,), [4]), ((5,), [5])]
    assert _sources(ws, added) == [((10,), [1])]


def test_a_folder_that_sql_writes_is_an_output(ws: whence.Workspace, session: SparkSession, tmp_path: Path) -> None:
    folder = tmp_path / "some_parts"

    def program(spark: SparkSession) -> None:
        spark.sql(f"insert overwrite directory '{folder}' using parquet select id, k from parts where id > 3")
        spark.read.parquet(str(folder)).where("id = 5").collect()

    written, read = _run(ws, session, program)
    assert _sources(ws, written) == [((4, "c"), [4]), ((5, "b"), [5])]
    assert _sources(ws, read) == [((5, "b"), [5])]


def test_a_table_that_was_written_in_steps_keeps_lineage_through_all_of_them(
    ws: whence.Workspace, session: SparkSession
) -> None:
    def program(spark: SparkSession) -> None:
        spark.sql("create table picked as select id, k from parts where id = 1")
        spark.sql("insert into picked select id, upper(k) from parts where id = 5")
        spark.table("parts").where("id = 3").select("id", "k").write.mode("append").saveAsTable("picked")
        spark.table("picked").collect()
        spark.sql("select k, max(id) last from picked group by k").collect()

    *_, read, grouped = _run(ws, session, program)
    assert _sources(ws, read) == [((1, "a"), [1]), ((3, "a"), [3]), ((5, "B"), [5])]
    assert _sources(ws, grouped) == [(("B", 5), [5]), (("a", 3), [1, 3])]


def test_files_that_were_appended_to_a_folder_keep_lineage(
    ws: whence.Workspace, session: SparkSession, tmp_path: Path
) -> None:
    def program(spark: SparkSession) -> None:
        for number in (2, 4):
            picked = spark.table("parts").where(F.col("id") == number)
            picked.write.mode("append").parquet(str(tmp_path / "picked"))
        spark.read.parquet(str(tmp_path / "picked")).select("id").collect()

    *_, read = _run(ws, session, program)
    assert _sources(ws, read) == [((2,), [2]), ((4,), [4])]


def test_a_table_with_rows_of_others_is_a_source_with_all_its_rows(ws: whence.Workspace, session: SparkSession) -> None:
    session.sql("create table picked as select 7 id, 'z' k")

    def program(spark: SparkSession) -> None:
        spark.sql("insert into picked select id, k from parts where id = 1")
        spark.table("picked").where("id > 0").collect()

    _, read = _run(ws, session, program)
    assert read.is_exact
    assert _kept_rows(ws, read) == [(1, "a"), (7, "z")]
    assert read.record is not None
    source = ws[read.record.label].lineage.backward([0, 1], to="picked_2")
    assert sorted(source.to_arrow().column("id").to_pylist()) == [1, 7]


def test_empty_text_that_names_no_folder_is_read_as_spark_reads_it(ws: whence.Workspace, session: SparkSession) -> None:
    def program(spark: SparkSession) -> None:
        spark.sql("create table halves (id int, k string) using parquet partitioned by (k)")
        spark.sql("insert into halves select id, if(id = 2, '', k) from parts where id < 3")
        spark.table("halves").where("id > 0").collect()

    _, read = _run(ws, session, program)
    assert _kept_rows(ws, read) == [(1, "a"), (2, None)]


def test_an_insert_over_the_table_that_it_reads_keeps_the_rows_from_before(
    ws: whence.Workspace, session: SparkSession
) -> None:
    def program(spark: SparkSession) -> None:
        spark.sql("create table picked as select id from parts where id < 3")
        spark.sql("insert into picked select id * 10 from picked")
        spark.table("picked").collect()

    _, inserted, read = _run(ws, session, program)
    assert _sources(ws, inserted) == [((10,), [1]), ((20,), [2])]
    assert _sources(ws, read) == [((1,), [1]), ((10,), [1]), ((2,), [2]), ((20,), [2])]


def test_a_write_that_spark_skips_because_the_target_is_there_is_no_output(
    ws: whence.Workspace, session: SparkSession, tmp_path: Path
) -> None:
    session.sql("create table picked as select 7 id")
    session.table("picked").write.parquet(str(tmp_path / "picked"))

    def program(spark: SparkSession) -> None:
        spark.sql("create table if not exists picked as select id from parts")
        spark.table("parts").select("id").write.mode("ignore").saveAsTable("picked")
        spark.table("parts").select("id").write.mode("ignore").parquet(str(tmp_path / "picked"))

    assert _run(ws, session, program) == []
    assert _rows(session.table("picked")) == [(7,)]


def test_random_numbers_that_sql_inserts_are_those_of_the_table(ws: whence.Workspace, session: SparkSession) -> None:
    def program(spark: SparkSession) -> None:
        spark.sql("create table drawn as select id, rand() r, uuid() u from parts")

    (written,) = _run(ws, session, program)
    assert written.record is not None
    assert _kept_rows(ws, written) == _rows(session.table("drawn"))


REFUSED = (
    "insert into nowhere select * from parts",
    "insert into parts select",
    "create or replace table totals as select 1 a",
    "merge into parts using parts p on p.id = parts.id when matched then delete",
)


@pytest.mark.parametrize("text", REFUSED)
def test_a_statement_that_spark_refuses_fails_with_its_own_sentence(
    ws: whence.Workspace, session: SparkSession, text: str
) -> None:
    with pytest.raises(Exception) as plain:  # noqa: PT011 - whatever Spark raises
        session.sql(text)
    with pytest.raises(type(plain.value)) as watched:
        assert not _run(ws, session, lambda spark: spark.sql(text))
    assert str(watched.value) == str(plain.value)


def test_statements_that_write_no_rows_run_as_before(ws: whence.Workspace, session: SparkSession) -> None:
    def program(spark: SparkSession) -> None:
        spark.sql("create table empty_table (a int) using parquet")
        spark.sql("drop table empty_table")
        with pytest.raises(AnalysisException, match="empty_table"):
            spark.table("empty_table")

    assert _run(ws, session, program) == []
