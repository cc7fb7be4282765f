"""What a cold start costs: from a new process to the first SQL result, whence with lineage beside plain PySpark.

Each start is a process of its own, contenders take turns. CPU seconds are those of the process and all it started,
which a busy machine changes less than the time on the clock.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from whence.engine.class_archive import VARIABLE, find_class_archive
from whence.engine.java import java_home
from whence.workspace.record_archive import record_archive

QUERY = "select k, sum(x) as s from t where x > 3 group by k order by k"
ANSWER = [{"k": k, "s": sum(x for x in range(4, 1000) if x % 3 == k)} for k in range(3)]

_BEGIN = """
import json, os, sys, time
begin = time.time()
"""
_PLAIN = """
from pyspark.sql import SparkSession
from whence.engine.java import java_home
os.environ["JAVA_HOME"] = str(java_home())
spark = SparkSession.builder.master("local[*]").config("spark.ui.enabled", "false").getOrCreate()
spark.createDataFrame([(x, x % 3) for x in range(1000)], "x int, k int").write.parquet(sys.argv[1] + "/t")
spark.read.parquet(sys.argv[1] + "/t").createOrReplaceTempView("t")
spark.sql(QUERY).write.parquet(sys.argv[1] + "/u")
answer = [row.asDict() for row in spark.read.parquet(sys.argv[1] + "/u").orderBy("k").collect()]
"""
_WHENCE = """
import whence
ws = whence.open(sys.argv[1] + "/w.whence")
ws.create("t", [(x, x % 3) for x in range(1000)], schema="x int, k int")
made = ws.sql(QUERY, name="u")
assert len(made.lineage.backward([0], to="t").ids) == 332
answer = made.to_arrow().to_pylist()
"""
_END = """
wall = time.time() - begin
import psutil
me = psutil.Process()
cpu = sum(me.cpu_times()[:4]) + sum(sum(each.cpu_times()[:4]) for each in me.children(recursive=True))
print(json.dumps({"wall": wall, "cpu": cpu, "answer": answer}), flush=True)
os._exit(0)
"""
BASELINE = "plain PySpark"
CONTENDERS: Mapping[str, tuple[str, str]] = {
    BASELINE: (_PLAIN, "off"),
    "whence, no archive": (_WHENCE, "off"),
    "whence, archive": (_WHENCE, "use"),
}


def run(repeats: int) -> dict[str, object]:
    """Start each contender so many times and give medians and their ratios to plain PySpark."""
    archive = find_class_archive(java_home())
    if archive is not None and not archive.is_made:
        record_archive(archive)
    times: dict[str, list[Mapping[str, float]]] = {name: [] for name in CONTENDERS}
    for _ in range(repeats):
        for name, (script, variable) in CONTENDERS.items():
            times[name].append(_start(script, variable))
    return {
        "question": "A new process, Spark, a table of 1,000 rows, a group-by (seconds)",
        "rows": [_row(name, times) for name in CONTENDERS],
    }


def _row(name: str, times: Mapping[str, list[Mapping[str, float]]]) -> dict[str, object]:
    medians = {what: statistics.median(each[what] for each in times[name]) for what in ("cpu", "wall")}
    baseline = {what: statistics.median(each[what] for each in times[BASELINE]) for what in medians}
    ratios = {f"{what} ratio": medians[what] / baseline[what] for what in medians}
    return {"start": name, **medians, **ratios}


def _start(script: str, variable: str) -> Mapping[str, float]:
    with tempfile.TemporaryDirectory(prefix="whence-bench-") as folder:
        program = f"{_BEGIN}QUERY = {QUERY!r}\n{script}{_END}"
        ran = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", program, folder],
            env={**os.environ, VARIABLE: variable},
            cwd=Path(folder),
            check=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
    found = json.loads(ran.stdout.splitlines()[-1])
    assert found.pop("answer") == ANSWER
    measured: Mapping[str, float] = found
    return measured
