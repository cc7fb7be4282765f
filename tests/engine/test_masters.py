"""A workspace on a standalone cluster of Spark's: executors are processes of their own and share only the storage."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pyspark
import pytest

import whence
from whence.engine.java import java_home
from whence.engine.masters import check_storage
from whence.model.errors import UserError

SCRIPT = Path(__file__).parent / "on_a_cluster.py"


@contextmanager
def running(folder: Path, environment: dict[str, str], *command: str) -> Iterator[None]:
    program = Path(pyspark.__file__).parent / "bin" / "spark-class"
    with (folder / f"{command[0].rpartition('.')[2]}.log").open("wb") as log:
        process = subprocess.Popen([program, *command], env=environment, stdout=log, stderr=log)
        try:
            yield
        finally:
            process.terminate()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    with socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        port = chosen.getsockname()[1]
    environment = {**os.environ, "JAVA_HOME": str(java_home()), "PYSPARK_PYTHON": sys.executable}
    environment.pop("PYTHONPATH", None)
    at, deploy = f"spark://127.0.0.1:{port}", "org.apache.spark.deploy"
    here, memory = ("--host", "127.0.0.1", "--webui-port", "0"), ("--cores", "1", "--memory", "1g")
    with ExitStack() as processes:
        start = (tmp_path, environment)
        processes.enter_context(running(*start, f"{deploy}.master.Master", *here, "--port", str(port)))
        for number in range(2):
            own = ("--work-dir", str(tmp_path / f"work{number}"))
            processes.enter_context(running(*start, f"{deploy}.worker.Worker", *here, *memory, *own, at))
        yield at, environment


@pytest.mark.long
def test_a_cluster_gives_rows_lineage_and_marks_through_shared_storage(
    cluster: tuple[str, dict[str, str]], tmp_path: Path
) -> None:
    master, environment = cluster
    environment["PYTHONPATH"] = str(Path(whence.__file__).parents[1])
    subprocess.run([sys.executable, SCRIPT, master, tmp_path], env=environment, check=True, timeout=280)
    said = json.loads((tmp_path / "said.json").read_text())
    assert all("whence.zip" in path for path in said["code"])
    groups = {k: [n for n in range(2000) if n % 5 == k] for k in range(5)}
    assert said["rows"] == [[k, sum(n for n in rows if n % 97), 400] for k, rows in groups.items()]
    assert said["lineage"] == {str(k): rows for k, rows in groups.items()}
    assert said["marked"] == [[k, any(n % 97 == 0 for n in rows)] for k, rows in groups.items()]
    assert said["windows"] == [2000, True]
    assert said["acknowledged"] is False
    assert {"datasets", "lineage", "staging", "tmp"} <= set(said["shared"])
    assert {"meta.db", "storage.json", "files"} <= set(said["own"])
    assert "datasets" not in said["own"]
    assert said["doctor"] == []


def test_a_master_elsewhere_needs_storage(tmp_path: Path) -> None:
    for master in ("spark://host:7077", "local-cluster[2,1,1024]", "yarn"):
        with pytest.raises(UserError, match=r"needs a place that all its executors can write to\. Pass storage="):
            whence.open(tmp_path / "w", master=master)
    assert not (tmp_path / "w").exists()


def test_storage_that_executors_cannot_write_is_refused_in_one_sentence(ws: whence.Workspace, tmp_path: Path) -> None:
    check_storage(ws.spark, tmp_path / "fine")
    assert list((tmp_path / "fine").iterdir()) == []
    (tmp_path / "real").mkdir()

    class Elsewhere(type(tmp_path)):  # type: ignore[misc]
        """This machine sees a folder that executors know under another path."""

        def iterdir(self) -> Iterator[Path]:
            return iter(())

        def rmdir(self) -> None:
            return None

    with pytest.raises(UserError, match="what they write there is not found here"):
        check_storage(ws.spark, Elsewhere(tmp_path / "real"))
