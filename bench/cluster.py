"""What lineage and marks cost on a cluster: a standalone master and two workers, each a process of this machine.

Four queries of TPC-H and a join that gives as many rows as its largest input. Plain Spark runs each on the same
cluster and writes its result as zstd Parquet to the same storage. `WHENCE_BENCH_SCALE` sets the scale factor
(default 0.5).
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

import whence
from bench._spark_cluster import SETTINGS, spark_cluster
from bench._tpch import generate_tables, query_text
from whence.cli.bench import Report

SCALE = os.environ.get("WHENCE_BENCH_SCALE", "0.5")
TABLES = ("lineitem", "orders", "customer", "nation")
LARGE_JOIN = """
select l_orderkey, l_linenumber, l_extendedprice * (1 - l_discount) as price, o_orderdate, o_orderpriority
from lineitem join orders on l_orderkey = o_orderkey
"""
NUMBERS = count()


def run(repeats: int) -> Report:
    """Time every query in both ways, in turn."""
    queries = {f"TPC-H {name}": query_text(name) for name in ("q01", "q03", "q10", "q12")} | {"large join": LARGE_JOIN}
    with tempfile.TemporaryDirectory(prefix="whence-bench-") as name, spark_cluster(Path(name)) as cluster:
        folder = Path(name)
        storage = folder / "shared"
        os.environ["PYSPARK_PYTHON"] = sys.executable  # the executors are on this machine
        with whence.open(folder / "w.whence", cluster.address, storage=storage, settings=SETTINGS) as ws:
            ws.capture.take_over(False)  # the same queries run again and again
            _load(ws, folder / "tpch")
            rows = [_measure(ws, storage, title, text, repeats) for title, text in queries.items()]
    question = f"TPC-H at scale {SCALE} on a standalone cluster of two workers: what lineage and marks cost"
    return {"question": question, "baseline": "plain Spark", "rows": rows}


def _load(ws: whence.Workspace, folder: Path) -> None:
    generate_tables(folder, SCALE, TABLES)
    for table in TABLES:
        ws.load(folder / f"{table}.parquet", name=table).df.createOrReplaceTempView(table)


def _measure(ws: whence.Workspace, storage: Path, title: str, text: str, repeats: int) -> Report:
    actions: dict[str, Callable[[], object]] = {
        "plain": lambda: _write(ws, storage, text),
        "whence": lambda: ws.sql(text, name="out"),
    }
    times: dict[str, list[float]] = {name: [] for name in (*actions, "captured")}
    for _ in range(repeats + 1):  # the first round warms up
        for name, action in actions.items():
            start = time.perf_counter()
            made = action()
            times[name].append(1000 * (time.perf_counter() - start))
            if isinstance(made, whence.Dataset):
                made.lineage.wait()
                times["captured"].append(1000 * (time.perf_counter() - start))
    plain, ours, captured = (statistics.median(measured[1:]) for measured in times.values())
    return {
        "workload": title,
        "plain_ms": plain,
        "whence_ms": ours,
        "whence": ours / plain,
        "until lineage is there": captured / plain,
        "rows": ws["out"].count,
        "lineage": ws["out"].lineage.strategy.partition(":")[0],
    }


def _write(ws: whence.Workspace, storage: Path, text: str) -> None:
    target = storage / f"plain-{next(NUMBERS)}"
    ws.spark.sql(text).write.option("compression", "zstd").parquet(f"file://{target}")
