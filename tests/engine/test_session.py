"""The session whence makes for itself: quiet, local, and with its scratch files inside the workspace."""

from __future__ import annotations

import whence


def test_the_session_has_settings_for_one_machine_and_its_scratch_files_lie_in_the_workspace(
    spark_home: whence.Workspace,
) -> None:
    spark = spark_home.spark
    assert spark.sparkContext.uiWebUrl is None
    settings = dict(spark.sparkContext.getConf().getAll()) | dict(spark.conf.getAll)
    assert settings["spark.local.dir"].startswith(str(spark_home.path / "tmp"))
    assert settings["spark.sql.execution.arrow.pyspark.enabled"] == "true"
    assert settings["spark.sql.adaptive.enabled"] == "true"
    assert settings["spark.hadoop.parquet.page.verify-checksum.enabled"] == "true"
    assert settings["spark.driver.host"] == "127.0.0.1"
    assert int(settings["spark.sql.shuffle.partitions"]) <= 64
    assert settings["spark.driver.memory"].endswith("g")
    assert (spark_home.path / "tmp").joinpath(settings["spark.local.dir"].rsplit("/", 1)[1], "spark.log").exists()


def test_what_needs_no_spark_does_not_start_it(spark_home: whence.Workspace) -> None:
    with whence.open(spark_home.path.parent / "still.whence") as ws:
        made = ws.create("t", [(2,), (1,)], schema="x int")
        made.view(sort=["x"]).rows(0, 1)
        made.profile("x")
        made.row_keys()
        assert ws.diff(made, made).is_empty
        assert not ws.is_engine_running
