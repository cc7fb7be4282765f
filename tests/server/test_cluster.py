"""`whence serve` on a standalone cluster: cells run on its executors, and answers are those of plain Python."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import whence
from bench._spark_cluster import SETTINGS, spark_cluster
from tests.server.serving import ROOT, served

pytestmark = [pytest.mark.spark, pytest.mark.long, pytest.mark.timeout(600)]

ROWS = [(n, "abc"[n % 3], n * 10) for n in range(30)]
SHORT = {**SETTINGS, "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}
QUERY = "select k, sum(x) as s from t where id > 5 group by k order by k"
PYSPARK = (
    "import os\n"
    "from pyspark.sql import functions as F\n"
    "t = ws['t'].df\n"
    "place = F.udf(lambda x: os.getcwd(), 'string')\n"
    "ws['places'] = t.select('id', place('x').alias('place'))\n"
)


def test_cells_of_a_server_run_on_the_executors_of_a_cluster(tmp_path: Path) -> None:
    path, temporary = tmp_path / "w.whence", tmp_path / "temporary"
    temporary.mkdir()
    with whence.open(path, storage=tmp_path / "shared") as ws:
        ws.create("t", ROWS, schema="id int, k string, x int")
    with spark_cluster(tmp_path) as cluster:
        options = ["--unconfined", "--master", cluster.address, "--storage", str(tmp_path / "shared")]
        options += [word for name, value in SHORT.items() for word in ("--setting", f"{name}={value}")]
        sources = os.pathsep.join((str(Path(whence.__file__).parents[1]), str(ROOT)))
        with served(path, temporary, options, cluster.environment | {"PYTHONPATH": sources}) as server:
            client = server.client
            client.make_notebook(name="n")
            values: dict[str, object] = {"source": QUERY, "name": "sums"}
            client.add_cell("n", kind="sql", values=values)
            client.add_cell("n", kind="python", values={"source": PYSPARK})
            view = client.wait("n", timeout=400)
            assert {cell.status for cell in view.cells} == {"ready"}, [cell.error for cell in view.cells]
    with whence.open(path) as ws:
        kept = [row for row in ROWS if row[0] > 5]
        expected = [{"k": key, "s": sum(x for _, k, x in kept if k == key)} for key in "abc"]
        assert ws["sums"].to_arrow().to_pylist() == expected
        for number, key in enumerate("abc"):
            assert ws["sums"].lineage.backward([number], to="t").ids.tolist() == [i for i, k, _ in kept if k == key]
        places = set(ws["places"].to_arrow().column("place").to_pylist())
        assert all(Path(place).is_relative_to(tmp_path) and "work" in place for place in places), places
