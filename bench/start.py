"""How long it takes from nothing to the first result: a fresh Python process that starts Spark and runs one query.

Bare PySpark reads the same rows from Parquet, groups them and fetches the result; whence opens a workspace that holds
them and runs the same query with lineage and marks. Both are timed from the start of the process to the result in its
hands, as wall time and as CPU seconds of the process and all it started. Processes take turns. Then a server: until its
page comes, and until a SQL cell that is sent at that moment is ready.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow.parquet as pq

import whence
from bench._sales import sales
from bench.serve import serving

ROWS = int(os.environ.get("WHENCE_BENCH_ROWS", 100_000))
QUERY = "select city, count(*) as n, sum(price) as total from sales group by city order by city"
SPENT = """
import time
now = time.time()
import json, psutil
this = psutil.Process()
times = [each.cpu_times() for each in (this, *this.children(recursive=True))]
print(json.dumps([now, sum(each.user + each.system for each in times), len(result)]))
"""
PYSPARK = """
import sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[*]").config("spark.ui.enabled", "false").getOrCreate()
spark.read.parquet(sys.argv[1] + "/sales.parquet").createOrReplaceTempView("sales")
result = spark.sql(sys.argv[2]).toArrow().to_pylist()
"""
WHENCE = """
import sys
import whence
ws = whence.open(sys.argv[1] + "/start.whence")
result = ws.sql(sys.argv[2], name="by_city", lineage="inject").to_arrow().to_pylist()
assert ws["by_city"].lineage.exact
"""
CONTENDERS = {
    "PySpark": (PYSPARK, "off"),
    "whence, no archive": (WHENCE, "off"),
    "whence, archive of classes": (WHENCE, "use"),
}


def run(repeats: int) -> dict[str, object]:
    """Start every contender in turn, then a server."""
    spent: dict[str, list[tuple[float, float]]] = {name: [] for name in CONTENDERS}
    with tempfile.TemporaryDirectory(prefix="whence-bench-", dir=os.environ.get("WHENCE_BENCH_FOLDER")) as name:
        folder = Path(name)
        _make_data(folder)
        for number in range(-1, repeats):  # the first round brings the files into memory
            for contender, (program, archive) in CONTENDERS.items():
                taken = _start(program, archive, folder)
                spent[contender] += [taken] if number >= 0 else []
        pages = [_serve(folder / "start.whence", number) for number in range(repeats)]
    walls, processors = ({who: [each[i] for each in times] for who, times in spent.items()} for i in (0, 1))
    return {
        "question": f"From nothing to the result of a group-by over {ROWS:,} rows",
        "baseline": "PySpark",
        "results": {**_results("wall", walls), **_results("CPU", processors)},
        "facts": {
            "a server's page, ms": round(1000 * statistics.median(page for page, _ in pages)),
            "a SQL cell sent with the page is ready after, ms": round(
                1000 * statistics.median(cell for _, cell in pages)
            ),
        },
    }


def _make_data(folder: Path) -> None:
    table = sales(ROWS)
    pq.write_table(table, folder / "sales.parquet")
    with whence.open(folder / "start.whence") as ws:
        ws.create("sales", table)
    subprocess.run([sys.executable, "-m", "whence.workspace.record_archive"], check=False)


def _start(program: str, archive: str, folder: Path) -> tuple[float, float]:
    """Wall and CPU seconds until the result is there."""
    settings = {"WHENCE_CLASS_ARCHIVE": archive, "SPARK_LOCAL_IP": "127.0.0.1"}
    start = time.time()
    ran = subprocess.run(
        [sys.executable, "-c", program + SPENT, str(folder), QUERY],
        env={**os.environ, **settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=True,
    )
    now, cpu, rows = json.loads(ran.stdout.splitlines()[-1])
    assert rows > 1, "the query gave no groups"
    return now - start, cpu


def _results(unit: str, times: dict[str, list[float]]) -> dict[str, object]:
    base = statistics.median(times["PySpark"])
    return {
        f"{unit}: {who}": {
            "median_ms": 1000 * statistics.median(each),
            "min_ms": 1000 * min(each),
            "max_ms": 1000 * max(each),
            "ratio": statistics.median(each) / base,
        }
        for who, each in times.items()
    }


def _serve(path: Path, number: int) -> tuple[float, float]:
    """Seconds from the command to the server's page, and from there to the result of a cell."""
    start = time.perf_counter()
    with serving(path) as client:
        client.read_about()
        page = time.perf_counter()
        notebook = f"start {number}"
        client.make_notebook(name=notebook)
        client.add_cell(notebook, kind="sql", values={"source": QUERY, "name": f"cell_{number}"})
        while client.read_notebook(notebook).cells[0].status != "ready":
            time.sleep(0.05)
        return page - start, time.perf_counter() - page
