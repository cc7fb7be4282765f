"""The session whence makes for itself: quiet, local, and with its scratch files inside the workspace."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import whence
from whence.engine import session


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


def test_what_needs_no_spark_does_not_start_it(spark_home: whence.Workspace, tmp_path: Path) -> None:
    (tmp_path / "few.csv").write_text("x\n1\n2\n")
    with whence.open(spark_home.path.parent / "still.whence") as ws:
        assert ws.load(tmp_path / "few.csv").to_arrow().to_pylist() == [{"x": 1}, {"x": 2}]
        made = ws.create("t", [(2,), (1,)], schema="x int")
        made.view(sort=["x"]).rows(0, 1)
        made.profile("x")
        made.row_keys()
        assert ws.diff(made, made).is_empty
        assert not ws.is_engine_running


def test_the_kept_result_of_a_cell_is_shown_without_spark(spark_home: whence.Workspace, tmp_path: Path) -> None:
    assert spark_home.spark is not None
    with whence.open(tmp_path / "kept.whence") as ws:
        ws.notebook("n").append("sql", "select 7 as s", name="seven")
        ws.notebook("n").wait()
    with whence.open(tmp_path / "kept.whence") as ws:
        (cell,) = ws.notebook("n").cells
        shown = cell.outputs.datasets["seven"]
        assert (cell.status, shown.rows(0, 1).to_pylist()) == ("ready", [{"s": 7}])
        assert shown.caveats.marks().num_rows == 1
        assert not ws.is_engine_running


@pytest.mark.spark
def test_settings_of_the_caller_stand_above_ours(tmp_path: Path) -> None:
    """In a process of its own: the first workspace starts Spark."""
    script = (
        "import sys, whence\n"
        "ws = whence.open(sys.argv[1], settings={'spark.ui.enabled': 'true', 'spark.ui.port': '0'})\n"
        "print(ws.spark.sparkContext.uiWebUrl)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, tmp_path / "w"], capture_output=True, text=True, check=True, timeout=200
    )
    assert done.stdout.startswith("http://")
    assert done.stderr == ""


@pytest.mark.spark
def test_a_removed_workspace_takes_no_other_with_it(tmp_path: Path) -> None:
    """In a process of its own: Spark's files lie in the workspace that starts it, and all others share that Spark."""
    script = (
        "import shutil, sys, whence\n"
        "count = 'select count(*) c from range(5) group by id % 2 order by 1'\n"
        "first, second = (whence.open(f'{sys.argv[1]}/{name}.whence') for name in ('first', 'second'))\n"
        "print(first.sql(count).to_arrow().to_pydict())\n"
        "print(second.sql(count).to_arrow().to_pydict())\n"
        "first.close()\n"
        "shutil.rmtree(first.path)\n"
        "print(second.sql(count).to_arrow().to_pydict())\n"
        "with whence.open(f'{sys.argv[1]}/third.whence') as third:\n"
        "    print(third.sql(count).to_arrow().to_pydict())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, tmp_path], capture_output=True, text=True, check=False, timeout=200
    )
    assert done.stdout.splitlines() == ["{'c': [2, 3]}"] * 4, done.stderr


@pytest.mark.parametrize("memory", ["2g", "1500m"])
def test_the_environment_says_how_much_memory_spark_takes(memory: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(session.MEMORY_VARIABLE, memory)
    assert session._driver_memory() == memory


def test_an_amount_of_memory_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(session.MEMORY_VARIABLE, "lots")
    with pytest.raises(whence.WhenceError, match="WHENCE_SPARK_MEMORY is 'lots', which is no amount of memory"):
        session._driver_memory()
