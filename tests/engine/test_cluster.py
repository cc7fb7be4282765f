"""A standalone cluster of Spark gives the answers of this machine: its executors share nothing but the storage."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import whence
from bench._spark_cluster import SparkCluster, spark_cluster
from tests.engine import on_a_cluster
from tests.engine.cluster_answers import BY_SPARK, answers_of, as_json, ask
from tests.notebook.python.connect_session import SAME

pytestmark = [pytest.mark.spark, pytest.mark.timeout(600)]

SECONDS = 500.0
ROOT = Path(__file__).parents[2]


class Asking:
    """A process that runs one role of `on_a_cluster` and leaves files behind that say how far it is."""

    def __init__(self, role: str, cluster: SparkCluster, folder: Path) -> None:
        self._folder = folder
        sources = os.pathsep.join((str(Path(whence.__file__).parents[1]), str(ROOT)))
        command = [sys.executable, "-m", "tests.engine.on_a_cluster", role, cluster.address, str(folder)]
        with (folder / "log").open("wb") as log:
            environment = cluster.environment | {"PYTHONPATH": sources}
            self.process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)

    def wait_for(self, files: str, count: int = 1) -> None:
        """Wait until there are so many files of these names."""
        self._wait(lambda: len(list(self._folder.glob(files))) >= count, files)

    def wait_for_text(self, file: Path, text: str) -> None:
        """Wait until a file holds a text."""
        self._wait(lambda: text in file.read_text(), text)

    def answers(self) -> Any:  # noqa: ANN401 - JSON
        """Wait for the end, and return what was answered."""
        assert self.process.wait(SECONDS) == 0, self._log()
        return json.loads((self._folder / "said.json").read_text())

    def _wait(self, is_there: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + SECONDS
        while not is_there():
            assert self.process.poll() is None, self._log()
            assert time.monotonic() < end, what
            time.sleep(0.1)

    def _log(self) -> str:
        return (self._folder / "log").read_text()[-6000:]


@contextmanager
def asking(role: str, cluster: SparkCluster, folder: Path) -> Iterator[Asking]:
    """Run a role beside the block."""
    asked = Asking(role, cluster, folder)
    try:
        yield asked
    finally:
        asked.process.kill()
        asked.process.wait()


@dataclass(frozen=True)
class Answers:
    """The answers of a workspace on a cluster, and those of one on this machine."""

    there: Any
    here: Any


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory, spark_home: whence.Workspace) -> Iterator[Answers]:
    """Ask both side by side. A worker of the cluster is killed when the last query runs on both workers."""
    folder = tmp_path_factory.mktemp("cluster")
    assert spark_home.spark is not None
    with spark_cluster(folder, on_a_cluster.QUICK_START) as cluster, asking("compare", cluster, folder) as asked:
        with whence.open(folder / "here.whence") as ws:
            here = ask_here(ws, folder)
        asked.wait_for("running-*", 2)
        cluster.kill_worker(0)
        (folder / "go on").touch()
        yield Answers(asked.answers(), as_json(here))


def ask_here(ws: whence.Workspace, folder: Path) -> dict[str, Any]:
    files = folder / "files"
    files.mkdir()
    here: dict[str, Any] = {"answers": ask(ws, files)}
    on_a_cluster.create_small_tables(ws)
    here["cells"] = {name: answers_of(ws.sql(SAME[name][1], name=name)) for name in on_a_cluster.CELLS}
    on_a_cluster.create_numbers(ws)
    ws.spark.udf.register("hold", lambda value: value, "int")
    here["killed"] = answers_of(on_a_cluster.hold_numbers(ws))
    return here


def test_a_cluster_gives_the_answers_of_this_machine(answers: Answers) -> None:
    assert answers.there["answers"].keys() == answers.here["answers"].keys()
    for name, here in answers.here["answers"].items():
        assert answers.there["answers"][name] == here, name


def test_answers_hold_what_a_cluster_could_lose(answers: Answers) -> None:
    """Marks, ghost rows and lineage are there to be compared."""
    here = answers.here["answers"]
    assert here["projection"]["marked"] == sum(n % 997 == 5 and n % 3 == 0 for n in range(120_000))
    assert here["ghosts"]["row_set"] is True
    assert all(each["exact"] for each in here.values() if "exact" in each)
    assert here["join"]["some"][3][1].keys() == {"events", "labels"}


def test_executors_have_the_code_from_the_driver(answers: Answers) -> None:
    assert len(answers.there["code"]) == 2
    assert all("whence.zip" in path for path in answers.there["code"])


def test_sparks_own_writer_stores_rows_lineage_and_marks_on_a_cluster(answers: Answers) -> None:
    writers = answers.there["writers"]
    assert writers == {name: ["parquet-mr"] for name in BY_SPARK} | {"nested": ["parquet-cpp-arrow"]}


def test_python_cells_reach_a_cluster_through_connect(answers: Answers) -> None:
    there = answers.there["cells"]
    assert {name: there[name] for name in on_a_cluster.CELLS} == answers.here["cells"]
    assert there["udf"] == {"id": [1, 2, 3, 4], "y": [2.0, 3.0, 4.0, None]}
    assert there["exported"] == {"id": [1, 2, 3, 4], "loud": ["a!", "b!", "a!", None]}


def test_only_what_executors_need_lies_in_the_storage(answers: Answers) -> None:
    assert {"datasets", "lineage", "staging", "tmp"} <= set(answers.there["shared"])
    assert {"meta.db", "storage.json", "files"} <= set(answers.there["own"])
    assert "datasets" not in answers.there["own"]
    assert answers.there["doctor"] == answers.there["own doctor"] == []


def test_a_session_of_the_callers_on_a_cluster_needs_storage(answers: Answers) -> None:
    kind, sentence = answers.there["without storage"]
    assert kind == "UserError"
    assert "needs a place that all its executors can write to. Pass storage=" in sentence


def test_a_worker_killed_during_a_query_costs_no_row(answers: Answers) -> None:
    assert answers.there["killed"] == answers.here["killed"]
    assert answers.there["killed"]["rows"] == 2000
    assert answers.there["killed writers"] == ["parquet-mr"]


@pytest.mark.long
@pytest.mark.parametrize("remembers", [True, False])
def test_a_master_restarted_loses_nothing(tmp_path: Path, remembers: bool) -> None:
    """A master with records goes on with the application. Without, a sentence says so, and Spark starts anew."""
    with (
        spark_cluster(tmp_path, on_a_cluster.QUICK_START, remembers=remembers) as cluster,
        asking("outlive", cluster, tmp_path) as asked,
    ):
        asked.wait_for("running-*", 2)
        cluster.restart_master()
        if remembers:
            asked.wait_for_text(tmp_path / "master.Master.log", "Recovery complete")
            (tmp_path / "go on").touch()
        said = asked.answers()
    sums = [sum(n for n in range(2000) if n % 3 == k) for k in range(3)]
    assert said["kept"] == said["before"]
    assert [row for row, _ in said["after"]["some"]] == [f"({k}, {each}, 1)" for k, each in enumerate(sums)]
    assert said["after"]["marked"] == 1
    assert said["same application"] is remembers
    assert said["doctor"] == []
    if remembers:
        assert said["error"] is None
        assert said["held"]["rows"] == 2000
    else:
        assert said["error"][0] == "EngineLost"
        assert "no longer knows this application. Nothing saved is lost; try again" in said["error"][1]
