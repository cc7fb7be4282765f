"""A program that asks PySpark for the session gets the one of its workspace, and finds its temporary views there."""

from __future__ import annotations

from pyspark.sql import SparkSession

import whence


def test_a_program_finds_the_views_of_frames_it_took_from_a_workspace(ws: whence.Workspace) -> None:
    ws.create("t", [(1, "a"), (2, "b"), (3, "a")], schema="x int, k string").df.createOrReplaceTempView("mine")
    spark = SparkSession.builder.appName("program").getOrCreate()
    made = ws.dataset(spark.sql("select k, sum(x) s from mine group by k order by k"), name="made")
    assert made.lineage.exact
    assert [made.lineage.backward(row, to="t").ids.tolist() for row in range(2)] == [[0, 2], [1]]
