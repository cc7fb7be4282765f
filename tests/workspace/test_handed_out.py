"""Rows that a program takes from Spark and gives back keep lineage: by index where values prove it, else coarse."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from pyspark.ml.linalg import Vectors
from pyspark.sql import DataFrame, Row, SparkSession

import whence
from whence.engine.frame_actions import observe_actions
from whence.workspace.program_outputs import KeptOutput, ProgramOutputs

ROWS = [(1, "a", 2.5), (2, "b", None), (3, "a", 4.0), (4, "c", 1.0)]
GIVEN_BACK = "rows that came back from Python"


@pytest.fixture
def parts(ws: whence.Workspace, tmp_path: Path) -> DataFrame:
    lines = [",".join("" if value is None else str(value) for value in row) for row in ROWS]
    (tmp_path / "parts.csv").write_text("\n".join(["id,k,x", *lines]) + "\n")
    return ws.spark.newSession().read.csv(str(tmp_path / "parts.csv"), header=True, schema="id int, k string, x double")


Program = Callable[[SparkSession, DataFrame], DataFrame]


def _run(ws: whence.Workspace, parts: DataFrame, program: Program) -> tuple[list[Row], KeptOutput]:
    """Run a program that collects the frame it returns. Return the rows that it got, and what was kept of them."""
    outputs = ProgramOutputs(lambda frame: ws.context)
    with observe_actions(__file__, outputs.watch, outputs.take_back):
        back = program(parts.sparkSession, parts)
        rows = back.collect()
    return rows, outputs.kept[-1]


def _caveat_messages(dataset: whence.Dataset) -> list[str]:
    return [caveat.message for caveat in dataset.context.store.caveats(dataset.record)]


def _values(rows: list[Any]) -> list[list[str]]:
    return [[str(value) for value in (row.asDict() if isinstance(row, Row) else row).values()] for row in rows]


def test_rows_of_pandas_that_kept_their_index_are_known_one_by_one(ws: whence.Workspace, parts: DataFrame) -> None:
    def program(spark: SparkSession, parts: DataFrame) -> DataFrame:
        cheap = parts.orderBy("id").toPandas()
        cheap = cheap[cheap["k"] == "a"]
        cheap["double"] = cheap["x"] * 2
        return spark.createDataFrame(cheap).where("double > 6")

    rows, output = _run(ws, parts, program)
    assert rows == [Row(id=3, k="a", x=4.0, double=8.0)]
    assert output.note == GIVEN_BACK
    assert output.record is not None
    made = ws[output.record.label]
    assert made.to_arrow().to_pylist() == [rows[0].asDict()]
    given = ws["cheap"]
    assert made.lineage.backward([0], to="cheap").ids.tolist() == [1]
    (said,) = _caveat_messages(given)
    assert said.startswith("Lineage is inferred here")
    assert not given.lineage.exact
    origin = made.lineage.backward([0], to="parts")
    assert 2 in origin.ids.tolist()


UNKNOWN: dict[str, Program] = {
    "a group of pandas": lambda spark, parts: spark.createDataFrame(
        parts.toPandas().groupby("k").agg(n=("id", "count")).reset_index()
    ),
    "a new frame": lambda spark, parts: spark.createDataFrame(pd.DataFrame({"n": [len(parts.collect())]})),
    "Arrow": lambda spark, parts: spark.createDataFrame(parts.toArrow().slice(1, 2)),
    "tuples": lambda spark, parts: spark.createDataFrame([(row["k"], 1) for row in parts.collect()], "k string, n int"),
    "dictionaries": lambda spark, parts: spark.createDataFrame([row.asDict() for row in parts.take(2)], parts.schema),
    "rows of Spark": lambda spark, parts: spark.createDataFrame(parts.take(2), parts.schema),
    "a sorted frame": lambda spark, parts: spark.createDataFrame(
        parts.toPandas().sort_values("id", ascending=False)[["k"]].reset_index(drop=True)
    ),
}


@pytest.mark.parametrize("way", UNKNOWN)
def test_rows_that_nothing_tells_apart_may_come_from_all_that_was_collected(
    ws: whence.Workspace, parts: DataFrame, way: str
) -> None:
    rows, output = _run(ws, parts, UNKNOWN[way])
    assert output.record is not None, output
    assert output.note == GIVEN_BACK
    made = ws[output.record.label]
    assert _values(made.to_arrow().to_pylist()) == _values(rows)
    assert made.lineage.backward([0], to="parts").ids.tolist() == [0, 1, 2, 3]
    assert "Lineage is coarse here: Python code has no rule." in _caveat_messages(made)


def test_rows_of_a_program_that_has_collected_nothing_are_a_source(ws: whence.Workspace, parts: DataFrame) -> None:
    def program(spark: SparkSession, parts: DataFrame) -> DataFrame:
        return spark.createDataFrame(pd.DataFrame({"k": ["a", "b"], "title": ["first", "second"]})).join(parts, "k")

    _, output = _run(ws, parts, program)
    assert output.is_exact


AFTER_COLLECTING: dict[str, Program] = {
    "in the call": lambda spark, parts: spark.createDataFrame([("a", "first"), ("b", "second")], "k string, t string"),
    "pandas": lambda spark, parts: spark.createDataFrame(pd.DataFrame({"k": ["a", "b"], "t": ["first", "second"]})),
}


@pytest.mark.parametrize("way", AFTER_COLLECTING)
def test_rows_that_are_written_in_the_program_are_a_source_also_after_collecting(
    ws: whence.Workspace, parts: DataFrame, way: str
) -> None:
    def program(spark: SparkSession, parts: DataFrame) -> DataFrame:
        parts.collect()
        return AFTER_COLLECTING[way](spark, parts).join(parts, "k")

    _, output = _run(ws, parts, program)
    assert output.is_exact, output


def test_a_number_that_was_counted_and_given_back_is_no_source(ws: whence.Workspace, parts: DataFrame) -> None:
    def program(spark: SparkSession, parts: DataFrame) -> DataFrame:
        return spark.createDataFrame([("parts", parts.count())], "name string, n bigint")

    rows, output = _run(ws, parts, program)
    assert rows == [Row(name="parts", n=4)]
    assert output.note == GIVEN_BACK


def test_vectors_that_come_back_stay_vectors(ws: whence.Workspace, parts: DataFrame) -> None:
    def program(spark: SparkSession, parts: DataFrame) -> DataFrame:
        vectors = [(row["id"], Vectors.dense([row["id"], 1.0])) for row in parts.collect()]
        return spark.createDataFrame(vectors, ["id", "v"]).where("id > 2")

    rows, output = _run(ws, parts, program)
    assert output.record is not None, output
    assert output.note == GIVEN_BACK
    assert ws[output.record.label].df.collect() == rows


OF_RDDS: dict[str, Program] = {
    "of a frame": lambda spark, parts: spark.createDataFrame(
        parts.rdd.map(lambda row: (row["k"], 2 * row["id"])), "k string, n int"
    ),
    "of a frame, by toDF": lambda spark, parts: parts.rdd.map(lambda row: (row["k"], row["id"])).toDF(["k", "n"]),
    "of a file": lambda spark, parts: (
        spark.sparkContext.textFile(parts.inputFiles()[0]).map(lambda line: line.split(",")[:2]).toDF(["id", "k"])
    ),
    "of rows that were collected": lambda spark, parts: spark.createDataFrame(
        spark.sparkContext.parallelize([(row["k"],) for row in parts.collect()]), "k string"
    ),
}


@pytest.mark.parametrize("way", OF_RDDS)
def test_rows_of_an_rdd_over_files_or_frames_are_coarse(ws: whence.Workspace, parts: DataFrame, way: str) -> None:
    rows, output = _run(ws, parts, lambda spark, parts: OF_RDDS[way](spark, parts).where("k < 'c'"))
    assert output.record is not None, output
    assert output.note == "an RDD of files or of rows that the program took"
    assert sorted(_values(ws[output.record.label].to_arrow().to_pylist())) == sorted(_values(rows))  # in any order
    assert len(rows) == 3


def test_rows_of_an_rdd_that_the_program_made_are_a_source(ws: whence.Workspace, parts: DataFrame) -> None:
    def program(spark: SparkSession, parts: DataFrame) -> DataFrame:
        made = spark.sparkContext.parallelize([("a", 1), ("b", 2)]).map(lambda pair: (pair[0], pair[1] + 1))
        return made.toDF(["k", "n"]).join(parts, "k")

    _, output = _run(ws, parts, program)
    assert output.is_exact, output


def test_equal_rows_that_were_written_before_the_collecting_do_not_hide_where_later_ones_came_from(
    ws: whence.Workspace, parts: DataFrame
) -> None:
    def program(spark: SparkSession, parts: DataFrame) -> DataFrame:
        spark.createDataFrame([("a",), ("b",), ("a",), ("c",)], "k string").collect()
        found = parts.orderBy("id").select("k").toPandas()
        return spark.createDataFrame(found, "k string")

    _, output = _run(ws, parts, program)
    assert output.note == GIVEN_BACK


def test_a_frame_that_was_not_kept_leaves_a_caveat_on_rows_that_come_back(
    ws: whence.Workspace, parts: DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise whence.WhenceError("no")

    def program(spark: SparkSession, parts: DataFrame) -> DataFrame:
        with monkeypatch.context() as patched:
            patched.setattr(ProgramOutputs, "_pin", refuse)
            found = parts.toPandas()
        return spark.createDataFrame(found)

    rows, output = _run(ws, parts, program)
    assert output.note == GIVEN_BACK
    assert _values(ws["found"].to_arrow().to_pylist()) == _values(rows)
    assert _caveat_messages(ws["found"]) == [
        "These rows may also come from frames that were not kept; their doubts are not known here."
    ]
