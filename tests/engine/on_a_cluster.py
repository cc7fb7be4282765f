"""One workspace on a cluster, asked as test_cluster.py asks one on this machine; answers go to a file as JSON.

A process of its own, because a Spark that runs on this machine cannot become one on a cluster.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pyarrow.parquet as pq
from pyspark.sql import functions as F  # noqa: N812 - the name every PySpark user knows

import whence
from bench._spark_cluster import SETTINGS
from tests.engine.cluster_answers import BY_SPARK, answers_of, ask
from tests.notebook.python.connect_session import SAME, cell_context
from whence.engine import run_in_spark
from whence.model.errors import WhenceError
from whence.notebook.run_cell import run_cell
from whence.store.doctor import doctor

QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
SHORT = {**SETTINGS, "spark.executor.extraJavaOptions": QUICK_START}
CELLS = ("group", "join", "window", "caveat")
_CELL = """
from pyspark.sql import SparkSession, Window, functions as F
t, u = ws['t'].df, ws['u'].df
f = F.udf(lambda x: None if x is None else x + 1, 'double')
ws['by_udf'] = t.select('id', f('x').alias('y'))
"""
_EXPORT = "@ws.export\ndef shout(text: str) -> str:\n    return None if text is None else text + '!'\n"


def create_small_tables(ws: whence.Workspace) -> None:
    """The tables that Python cells read."""
    rows = [(1, "a", 1.0), (2, "b", 2.0), (3, "a", 3.0), (4, None, None)]
    caveats = [(1, "x", "odd"), (2, "k", "smudged")]
    ws.create("t", rows, "id int, k string, x double", cell_caveats=caveats)
    ws.create("u", [("a", 10), ("b", 20), ("b", 30), ("c", 40)], "k string, z int", row_caveats=[(1, "perhaps")])


def compare(master: str, folder: Path) -> dict[str, Any]:
    """Ask everything, in a workspace of a server and in one on a session of the caller's own."""
    with whence.open(folder / "w.whence", master, storage=folder / "shared", settings=SHORT, profile="server") as ws:
        said: dict[str, Any] = {"code": ws.spark.sparkContext.parallelize(range(2), 2).map(_place_of_code).collect()}
        said["answers"] = ask(ws, folder / "shared")
        said["writers"] = {name: sorted(set(_writers(ws[name]))) for name in (*BY_SPARK, "nested")}
        said["cells"] = _python_cells(ws)
        said["shared"] = sorted(path.name for path in next((folder / "shared").glob("w.whence-*")).iterdir())
        said["own"] = sorted(path.name for path in (folder / "w.whence").iterdir())
        said["doctor"] = doctor(ws._context.store)
        said |= _on_own_session(ws.spark.newSession(), folder)
    return said


def _place_of_code(_: int) -> str:
    import whence.store.parts as parts

    return str(parts.__file__)


def _writers(made: whence.Dataset) -> list[str]:
    manifest = made._context.store.manifest(made.record)
    folder = made._context.store.layout.dataset(made.record.id)
    return [pq.read_metadata(folder / part.path).created_by.split()[0] for part in manifest.parts]


def _python_cells(ws: whence.Workspace) -> dict[str, Any]:
    create_small_tables(ws)
    ws.run_cell("python", source=_CELL + "".join(f"ws['by_{name}'] = {SAME[name][0]}\n" for name in CELLS))
    found: dict[str, Any] = {name: answers_of(ws[f"by_{name}"]) for name in CELLS}
    made = run_cell(cell_context(ws), "python", {"source": _EXPORT}).functions
    loud = ws.dataset(ws._context.engine.sql("select id, shout(k) as loud from t", functions=made), name="louder")
    made_by_functions = {"udf": ws["by_udf"], "exported": loud}
    return found | {name: each.to_arrow().sort_by("id").to_pydict() for name, each in made_by_functions.items()}


def _on_own_session(session: Any, folder: Path) -> dict[str, Any]:  # noqa: ANN401 - a SparkSession
    said: dict[str, Any] = {"without storage": _error(lambda: whence.open(folder / "bare.whence", spark=session))}
    with whence.open(folder / "own.whence", spark=session, storage=folder / "shared") as ws:
        create_numbers(ws)
        ws.spark.udf.register("hold", _waiting(str(folder)), "int")
        # Nothing is small enough for this process to read: tasks read what was written for its hashes.
        with mock.patch.object(run_in_spark, "_MOST_READ_HERE", 0):
            made = hold_numbers(ws)
        said["killed"], said["killed writers"] = answers_of(made), sorted(set(_writers(made)))
        said["own doctor"] = doctor(ws._context.store)
    return said


def create_numbers(ws: whence.Workspace) -> None:
    """The table that a query reads while a worker is killed."""
    rows = [(n, n % 3) for n in range(2000)]
    ws.create("numbers", rows, schema="n int, k int", cell_caveats=[(7, "n", "odd")])


def hold_numbers(ws: whence.Workspace) -> whence.Dataset:
    """Run a query in two tasks that call `hold`. It could give so many rows that Spark's writer stores them."""
    held = ws["numbers"].df.repartition(2).selectExpr("hold(n) as n", "k")
    return ws.dataset(held.join(ws.spark.range(100), held.k == F.col("id")), name="held")


def _waiting(folder: str) -> Callable[[int], int]:
    def hold(value: int) -> int:
        Path(folder, f"running-{os.getpid()}").touch()
        while Path(folder).exists() and not Path(folder, "go on").exists():
            time.sleep(0.05)
        return value

    return hold


def outlive_a_master(master: str, folder: Path) -> dict[str, Any]:
    """Ask before, while and after the test restarts the master."""
    with whence.open(folder / "w.whence", master, storage=folder / "shared", settings=SHORT) as ws:
        create_numbers(ws)
        ws.spark.udf.register("hold", _waiting(str(folder)), "int")
        application = ws.spark.sparkContext.applicationId
        said: dict[str, Any] = {
            "before": answers_of(ws.sql("select k, sum(n) s from numbers group by k", name="before"))
        }
        said["error"] = _error(lambda: hold_numbers(ws))
        said["after"] = answers_of(ws.sql("select k, sum(n) s, 1 as one from numbers group by k", name="after"))
        said["kept"] = answers_of(ws["before"])
        said["held"] = answers_of(ws["held"]) if said["error"] is None else None
        said["same application"] = ws.spark.sparkContext.applicationId == application
        said["doctor"] = doctor(ws._context.store)
    return said


def _error(call: Callable[[], object]) -> list[str] | None:
    try:
        call()
    except WhenceError as error:
        return [type(error).__name__, str(error)]
    return None


if __name__ == "__main__":
    role, address, place = sys.argv[1:]
    answer = {"compare": compare, "outlive": outlive_a_master}[role](address, Path(place))
    Path(place, "said.json").write_text(json.dumps(answer))
