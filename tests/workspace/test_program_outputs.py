"""What the summary of a program says of an output: exact only if nothing on the way to the sources is unknown."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.ml.feature import StringIndexer
from pyspark.sql import DataFrame

import whence
from whence.engine.frame_actions import observe_actions
from whence.workspace.program_outputs import ProgramOutputs


@pytest.fixture
def parts(ws: whence.Workspace, tmp_path: Path) -> DataFrame:
    (tmp_path / "parts.csv").write_text("id,k\n1,a\n2,b\n3,a\n")
    return ws.spark.newSession().read.csv(str(tmp_path / "parts.csv"), header=True, schema="id int, k string")


def test_an_output_names_the_models_that_were_fitted_on_the_way_also_through_files(
    ws: whence.Workspace, parts: DataFrame, tmp_path: Path
) -> None:
    outputs = ProgramOutputs(lambda frame: ws.context)
    spark = parts.sparkSession
    with observe_actions(__file__, outputs.watch, outputs.take_back):
        indexed = StringIndexer(inputCol="k", outputCol="n").fit(parts).transform(parts)
        indexed.write.parquet(str(tmp_path / "indexed"))
        spark.read.parquet(str(tmp_path / "indexed")).where("n = 0").orderBy("id").collect()
        parts.orderBy("id").collect()
    written, read, plain = outputs.kept
    assert (written.models, read.models, plain.models) == (("StringIndexerModel",), ("StringIndexerModel",), ())
    assert [each.is_exact for each in outputs.kept] == [False, False, True]
    assert read.sentence.endswith(", 2 rows, exact but for what StringIndexerModel learned")
    assert read.record is not None
    assert ws[read.record.label].lineage.backward([0, 1], to="parts").ids.tolist() == [0, 2]
