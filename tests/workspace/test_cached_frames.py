"""Frames that a program caches are computed once for all outputs over them, with lineage down to the sources."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name every PySpark user knows

import whence
from whence.engine.frame_actions import observe_actions
from whence.workspace.program_outputs import KeptOutput, ProgramOutputs

ROWS = [(1, "a", 2.5), (2, "b", None), (3, "a", 4.0), (4, "c", 1.0), (5, "b", 3.5)]
TYPES = "id int, k string, x double"


@pytest.fixture
def parts(ws: whence.Workspace, tmp_path: Path) -> Iterator[DataFrame]:
    """A frame over a file, in the session of a program, which forgets what it cached."""
    lines = [",".join("" if value is None else str(value) for value in row) for row in ROWS]
    (tmp_path / "parts.csv").write_text("\n".join(["id,k,x", *lines]) + "\n")
    session = ws.spark.newSession()
    yield session.read.csv(str(tmp_path / "parts.csv"), header=True, schema=TYPES)
    session.catalog.clearCache()


def _run(ws: whence.Workspace, parts: DataFrame, program: Callable[[DataFrame], object]) -> list[KeptOutput]:
    outputs = ProgramOutputs(lambda frame: ws.context)
    with observe_actions(__file__, outputs.watch, outputs.take_back):
        program(parts)
    assert all(each.is_exact for each in outputs.kept), outputs.kept
    return outputs.kept


def _sources(ws: whence.Workspace, output: KeptOutput) -> list[tuple[tuple[object, ...], list[int]]]:
    """Return each row of an output with the ids in the rows of the file behind it."""
    assert output.record is not None
    made = ws[output.record.label]
    rows = [tuple(row.values()) for row in made.to_arrow().to_pylist()]
    behind = [made.lineage.backward([rid], to="parts").to_arrow().column("id").to_pylist() for rid in range(len(rows))]
    return sorted(zip(rows, map(sorted, behind), strict=True), key=str)


def test_a_cached_frame_is_computed_once_for_all_outputs_over_it(
    ws: whence.Workspace, parts: DataFrame, tmp_path: Path
) -> None:
    calls = ws.spark.sparkContext.accumulator(0)

    def count_and_square(number: int) -> int:
        calls.add(1)
        return number * number

    square = F.udf(lambda number: count_and_square(number), "int")  # PySpark cannot read annotations of this file

    counts = []

    def program(parts: DataFrame) -> None:
        squares = parts.select("id", "k", square("id").alias("square")).cache()
        squares.count()
        for output in (
            lambda: squares.groupBy("k").agg(F.sum("square").alias("total")).collect(),
            lambda: squares.where("square > 9").toPandas(),
            lambda: squares.join(squares.selectExpr("k", "id as other"), "k").where("id < other").collect(),
            lambda: squares.write.parquet(str(tmp_path / "squares")),
        ):
            before = calls.value
            output()
            counts.append(calls.value - before)

    totals, large, pairs, written = _run(ws, parts, program)
    assert counts[1:] == [0, 0, 0]
    assert counts[0] >= len(ROWS)
    assert _sources(ws, totals) == [(("a", 10), [1, 3]), (("b", 29), [2, 5]), (("c", 16), [4])]
    assert _sources(ws, large) == [((4, "c", 16), [4]), ((5, "b", 25), [5])]
    assert _sources(ws, pairs) == [(("a", 1, 1, 3), [1, 3]), (("b", 2, 4, 5), [2, 5])]
    assert _sources(ws, written) == [((n, k, n * n), [n]) for n, k, _ in ROWS]
    assert "squares" in {each.name for each in ws.datasets()}


def test_a_cached_frame_that_is_shown_first_is_the_dataset_of_later_outputs(
    ws: whence.Workspace, parts: DataFrame, tmp_path: Path
) -> None:
    def program(parts: DataFrame) -> None:
        known = parts.where("x is not null").persist()
        known.show()
        known.groupBy().count().collect()
        known.write.parquet(str(tmp_path / "known"))

    shown, counted, written = _run(ws, parts, program)
    assert shown.record is not None
    assert counted.record is not None
    assert counted.record.parents == (shown.record.id,)
    assert _sources(ws, counted) == [((4,), [1, 3, 4, 5])]
    assert _sources(ws, written) == _sources(ws, shown)
    assert shown.record.name == "known"


def test_a_table_that_sql_caches_is_computed_once(ws: whence.Workspace, parts: DataFrame) -> None:
    def program(parts: DataFrame) -> None:
        spark = parts.sparkSession
        parts.createOrReplaceTempView("raw_parts")
        spark.sql("cache table good_parts as select id, k from raw_parts where x > 2")
        spark.table("good_parts").where("k = 'a'").collect()
        spark.sql("select k, count(*) n from good_parts group by k").collect()

    some, groups = _run(ws, parts, program)
    assert some.record is not None
    assert groups.record is not None
    assert some.record.parents == groups.record.parents
    assert _sources(ws, some) == [((1, "a"), [1]), ((3, "a"), [3])]
    assert _sources(ws, groups) == [(("a", 2), [1, 3]), (("b", 1), [5])]


def test_a_frame_that_is_cached_anew_after_its_file_changed_is_computed_anew(
    ws: whence.Workspace, parts: DataFrame, tmp_path: Path
) -> None:
    def program(parts: DataFrame) -> None:
        for extra in ("", "6,z,9\n"):
            with (tmp_path / "parts.csv").open("a") as file:
                file.write(extra)
            read = parts.sparkSession.read.csv(str(tmp_path / "parts.csv"), header=True, schema=TYPES)
            large = read.where("x > 3").cache()
            large.select("id").collect()
            large.unpersist()

    before, after = _run(ws, parts, program)
    assert _sources(ws, before) == [((3,), [3]), ((5,), [5])]
    assert _sources(ws, after) == [((3,), [3]), ((5,), [5]), ((6,), [6])]


def test_random_rows_that_a_program_cached_are_those_of_its_outputs(ws: whence.Workspace, parts: DataFrame) -> None:
    seen = []

    def program(parts: DataFrame) -> None:
        drawn = parts.withColumn("r", F.rand()).cache()
        seen.append(sorted(row.r for row in drawn.select("r").where("r >= 0").collect()))
        drawn.groupBy().agg(F.max("r").alias("most")).collect()

    outputs = ProgramOutputs(lambda frame: ws.context)
    with observe_actions(__file__, outputs.watch, outputs.take_back):
        program(parts)
    all_of_them, most = (ws[each.record.label].to_arrow() for each in outputs.kept if each.record is not None)
    assert sorted(all_of_them.column("r").to_pylist()) == seen[0]
    assert most.column("most").to_pylist() == [seen[0][-1]]


def test_a_cached_join_with_a_name_twice_is_kept_as_before(ws: whence.Workspace, parts: DataFrame) -> None:
    def program(parts: DataFrame) -> None:
        left, right = parts.alias("l"), parts.alias("r")
        both = left.join(right, F.col("l.id") == F.col("r.id")).cache()
        both.select("l.id", "r.k").where("l.id = 1").collect()

    (kept,) = _run(ws, parts, program)
    assert _sources(ws, kept) == [((1, "a"), [1])]
