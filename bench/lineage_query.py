"""Backward and forward questions over a large group-by, after the workspace was opened again, against scans.

WHENCE_BENCH_ROWS sets the size of the large table (default ten million rows).
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import whence
from bench.lineage_capture import skewed
from whence.cli.bench import Report

ROWS = int(os.environ.get("WHENCE_BENCH_ROWS", "10_000_000"))
GROUPS = 5_000
SKEWS = (0.0, 0.4, 0.8, 1.6)
QUESTIONS = 1_000
SCANS = 15
"""How many groups the peers are asked about: one scan takes as long as a thousand look-ups."""
STEPS = (1, 2, 5, 10, 20, 50)
GROUP_BY = "select k, count(*) n, sum(v) s from big group by k"


def run(repeats: int) -> Report:
    """One row for each skew, then how cost grows with rows and with steps."""
    sizes = [size for size in (100_000, 1_000_000) if size < ROWS]
    # Spark's scratch files lie in the workspace that starts it, which must outlive the others.
    with tempfile.TemporaryDirectory(prefix="whence-bench-") as folder, whence.open(f"{folder}/home") as home:
        assert home.spark is not None
        rows = [_skewed(theta, ROWS, repeats) for theta in SKEWS]
        rows += [_skewed(0.0, size, repeats) for size in sizes]
        rows += _chain(repeats)
    return {
        "question": f"The rows behind a group, {QUESTIONS:,} random groups after reopening (ms; us: microseconds)",
        "rows": rows,
        "facts": {"groups": GROUPS, "questions": QUESTIONS, "questions to peers": SCANS},
    }


def _skewed(theta: float, size: int, repeats: int) -> Report:
    with tempfile.TemporaryDirectory(prefix="whence-bench-") as folder:
        path, table = Path(folder), skewed(size, GROUPS, theta)
        with whence.open(path / "w.whence") as ws:
            ws.create("big", table)
            started = time.perf_counter()
            ws.sql(GROUP_BY, name="totals")
            captured = time.perf_counter() - started
        pq.write_table(table, path / "big.parquet")
        with whence.open(path / "w.whence") as ws:
            return {"what": f"skew {theta:g}, {size:,} rows"} | _time_questions(
                ws, path, captured, max(1, repeats // 7)
            )


def _time_questions(ws: whence.Workspace, path: Path, captured: float, rounds: int) -> Report:
    totals, big = ws["totals"], ws["big"]
    table = totals.to_arrow()
    keys, sizes = table["k"].to_pylist(), table["n"].to_numpy()
    random = np.random.default_rng(5)
    groups = random.integers(0, len(keys), QUESTIONS).tolist()
    first = _times(lambda group: totals.lineage.backward([group], to="big").ids, groups[:1])[0]
    backward = [each for _ in range(rounds) for each in _times(
        lambda group: totals.lineage.backward([group], to="big").ids, groups
    )]  # fmt: skip
    with_rows = _times(lambda group: totals.lineage.backward([group], to="big").rows(0, 100), groups[:50])
    rids = random.integers(0, big.count, QUESTIONS).tolist()
    big.lineage.forward(rids[:1], to="totals")
    forward = _times(lambda rid: big.lineage.forward([rid], to="totals").ids, rids)
    few = sorted(groups[:SCANS], key=lambda group: int(sizes[group]))
    spark = _spark_scan(ws, keys)
    duck = _duckdb_scan(path, keys)
    for group in few[:2]:  # all give the same answer
        ids = totals.lineage.backward([group], to="big").ids
        assert np.array_equal(ids, spark(group))
        assert np.array_equal(ids, duck(group))
    small = [group for group in range(len(keys)) if sizes[group] <= np.median(sizes)][:SCANS]
    by_index = statistics.median(_times(lambda group: totals.lineage.backward([group], to="big").ids, small))
    by_spark, by_duck = statistics.median(_times(spark, small[:7])), statistics.median(_times(duck, few))
    return {
        "capture s": captured,
        "first": first,
        "median us": 1000 * statistics.median(backward),
        "p95 us": 1000 * float(np.percentile(backward, 95)),
        "max": max(backward),
        "+100 rows": statistics.median(with_rows),
        "forward us": 1000 * statistics.median(forward),
        "spark scan": by_spark,
        "duckdb scan": by_duck,
        "x spark, small": round(by_spark / by_index),
        "x duckdb": round(by_duck / statistics.median(backward)),
    }


def _times(question: Callable[[int], object], asked: Sequence[int]) -> list[float]:
    taken = []
    for each in asked:
        started = time.perf_counter()
        question(each)
        taken.append(1000 * (time.perf_counter() - started))
    return taken


def _spark_scan(ws: whence.Workspace, keys: list[int]) -> Callable[[int], np.ndarray]:
    """Lineage by asking again: filter the source by the group's key and read the row numbers."""
    big, engine = ws["big"], ws._context.engine  # noqa: SLF001 - what `where=` asks of Spark, without the question after it

    def scan(group: int) -> np.ndarray:
        return np.array(engine.rids_where(big.record, f"k = {keys[group]}"))

    scan(0)
    return scan


def _duckdb_scan(path: Path, keys: list[int]) -> Callable[[int], np.ndarray]:
    connection = duckdb.connect()
    connection.execute(f"create table big as select k from '{path / 'big.parquet'}'")

    def scan(group: int) -> np.ndarray:
        found = connection.execute("select rowid from big where k = ?", [keys[group]]).fetchnumpy()
        return np.sort(found["rowid"])

    scan(0)
    return scan


def _chain(repeats: int) -> list[Report]:
    """Many steps, one after the other, over a hundred thousand rows: filters with projections, groups at the end."""
    size = min(100_000, ROWS)
    with tempfile.TemporaryDirectory(prefix="whence-bench-") as folder:
        path = Path(folder) / "w.whence"
        with whence.open(path) as ws:
            ws.create("step0", pa.table({"k": np.arange(size) % GROUPS, "v": np.arange(size)}))
            for step in range(1, max(STEPS)):
                ws.sql(f"select k, v + 1 as v from step{step - 1} where v % 997 <> {step}", name=f"step{step}")
            for steps in STEPS:
                ws.sql(f"select k, count(*) n from step{steps - 1} group by k", name=f"end{steps}")
        with whence.open(path) as ws:
            return [_one_chain(ws, steps, max(1, repeats // 7)) for steps in STEPS]


def _one_chain(ws: whence.Workspace, steps: int, rounds: int) -> Report:
    end, start = ws[f"end{steps}"], ws["step0"]
    random = np.random.default_rng(5)
    groups = random.integers(0, end.count, QUESTIONS).tolist() * rounds
    rids = random.integers(0, start.count, QUESTIONS).tolist()
    first = _times(lambda group: end.lineage.backward([group], to="step0").ids, groups[:1])[0]
    backward = _times(lambda group: end.lineage.backward([group], to="step0").ids, groups)
    start.lineage.forward(rids[:1], to=end)
    forward = _times(lambda rid: start.lineage.forward([rid], to=end).ids, rids)
    return {
        "what": f"{steps} steps, {start.count:,} rows",
        "capture s": None,
        "first": first,
        "median us": 1000 * statistics.median(backward),
        "p95 us": 1000 * float(np.percentile(backward, 95)),
        "max": max(backward),
        "+100 rows": None,
        "forward us": 1000 * statistics.median(forward),
        "spark scan": None,
        "duckdb scan": None,
        "x spark, small": None,
        "x duckdb": None,
    }
