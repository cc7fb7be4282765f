"""Zoom, filter and drill down from the bars of TPC-H Q1 by prepared lineage, against Spark and DuckDB without any.

After Smoke, Section 6.4: Q1a adds year and month to the groups of one bar, Q1b filters by two texts as well, Q1c adds
the tax to the groups. `WHENCE_BENCH_SCALE` sets TPC-H's scale factor (default 2).
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import duckdb

import whence
from bench._tpch import generate_tables, query_text
from whence.cli.bench import Report

SCALE = os.environ.get("WHENCE_BENCH_SCALE", "2")
TIME = ["year(l_shipdate)", "month(l_shipdate)"]
TEXTS = ["l_shipmode", "l_shipinstruct"]
MEASURES = ["l_quantity", "l_extendedprice"]


def run(repeats: int) -> Report:
    """One row for each step, with the slowest of all bars."""
    with tempfile.TemporaryDirectory(prefix="whence-bench-") as folder, whence.open(f"{folder}/w.whence") as ws:
        generate_tables(Path(folder), SCALE, ["lineitem"])
        ws.load(Path(folder) / "lineitem.parquet", name="lineitem")
        started = time.perf_counter()
        bars = ws.sql(query_text("q01"), name="bars")
        query = time.perf_counter() - started
        bars.lineage.wait()
        started = time.perf_counter()
        ready = bars.lineage.prepare(to="lineitem", by=[*TEXTS, *TIME, "l_tax"], measures=MEASURES)
        prepared = time.perf_counter() - started
        duck = duckdb.connect()
        duck.execute("set threads = 2")
        duck.execute(f"create view lineitem as from '{folder}/lineitem.parquet'")
        keys = bars.to_arrow().select(["l_returnflag", "l_linestatus"]).to_pylist()
        rows = [_step(ws, ready, duck, keys, *step, repeats) for step in _steps()]
    return {
        "question": f"From the bars of TPC-H Q1 at scale {SCALE}: the slowest bar (ms)",
        "rows": rows,
        "facts": {
            "query, s": round(query, 2),
            "preparing, s": round(prepared, 2),
            "prepared, MB": round(ready.parts.bytes / 1e6, 1),
            "claimed for Smoke": "every step under 150 ms; lazy more than 4 s",
        },
    }


def _steps() -> list[tuple[str, list[str], dict[str, str]]]:
    texts = {"l_shipmode": "MAIL", "l_shipinstruct": "NONE"}
    return [("Q1a", TIME, {}), ("Q1b", TIME, texts), ("Q1c", [*TIME, "l_tax"], texts)]


def _step(
    ws: whence.Workspace,
    ready: Any,  # noqa: ANN401
    duck: duckdb.DuckDBPyConnection,
    keys: list[dict[str, str]],
    name: str,
    by: list[str],
    where: dict[str, str],
    repeats: int,
) -> dict[str, object]:
    ours, theirs, lazy, ids = [], [], [], []

    def first_rows(bar: int) -> object:
        return ready.rows([bar], **where).rows(0, 100)

    def fetch(text: str) -> object:
        return duck.sql(text).fetchall()

    def collect(text: str) -> object:
        return ws.spark.sql(text).collect()

    for bar, key in enumerate(keys):
        text = _text(by, {**key, **where})
        found = ready.totals([bar], by=by, **where)
        wanted = duck.sql(text).fetchall()
        assert sum(found["count"].to_pylist()) == sum(row[-1] for row in wanted), "not the same rows"
        assert found.num_rows == len(wanted), "not the same groups"
        ours.append(_median(partial(ready.totals, [bar], by=by, **where), repeats))
        ids.append(_median(partial(first_rows, bar), repeats))
        theirs.append(_median(partial(fetch, text), min(repeats, 3)))
        ws["lineitem"].df.createOrReplaceTempView("lineitem_plain")
        spark = text.replace("from lineitem", "from lineitem_plain")
        lazy.append(_median(partial(collect, spark), 1))
    return {
        "step": name,
        "totals": max(ours),
        "first 100 rows": max(ids),
        "DuckDB": max(theirs),
        "Spark": max(lazy),
        "DuckDB/ours": max(theirs) / max(ours),
        "Spark/ours": max(lazy) / max(ours),
    }


def _text(by: list[str], equal: dict[str, str]) -> str:
    groups = ", ".join(by)
    held = " and ".join(f"{name} = '{value}'" for name, value in equal.items())
    return (
        f"select {groups}, sum(l_quantity), sum(l_extendedprice), count(*) from lineitem "
        f"where l_shipdate <= date '1998-12-01' - interval '90' day and {held} group by {groups}"
    )


def _median(ask: Callable[[], object], repeats: int) -> float:
    taken = []
    for _ in range(repeats):
        started = time.perf_counter()
        ask()
        taken.append(1000 * (time.perf_counter() - started))
    return statistics.median(taken)
