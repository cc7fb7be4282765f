"""Columns of PySpark frames are symbols, without asking Spark anything."""

from __future__ import annotations

from typing import Any

import whence
from tests.staleness.notebook_steps import run_cells
from whence.safety import Session


def test_a_column_of_a_spark_frame_is_stale_on_its_own(spark_home: whence.Workspace) -> None:
    session = Session()
    session.namespace["spark"] = spark_home.spark
    run_cells(
        session,
        base="from pyspark.sql import functions as F\nrows = [(1, 2), (3, 4)]\n"
        "df = spark.createDataFrame(rows, 'a int, b int')",
        k="k = 2",
        make="df2 = df.withColumn('Total', F.col('a') * k).withColumnRenamed('b', 'kept')",
        bare="cols = (df2['a'], df2.kept)",
        chosen="only = df2.select('a')",
        new="total = df2['total']",
        all="everything = df2.where('a > 1')",
        narrow="df3 = df2.drop('TOTAL').withColumns({'twice': F.col('a') * 2})",
        after="x = df3['twice']",
    )
    frame: Any = session.namespace["df2"]
    assert frame.columns == ["a", "kept", "Total"]
    run_cells(session, k="k = 3")
    found = session.highlights()
    assert found.stale == {"new", "all", "narrow"}  # a cell that transforms a frame reads the whole of it
    assert found.refresher == {"make"}
    assert (
        found.reasons["new"]
        == "uses `df2['total']` from cell make, which was built with the old `k`; run cell make first"
    )
    run_cells(session, rows="rows = [(5, 6)]")
    assert {"bare", "chosen", "new", "all", "after", "narrow"} <= session.highlights().stale
