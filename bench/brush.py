"""Dragging a brush over one of four linked charts: every step against the same four queries by DuckDB.

Both work on the same rows; whence reads lineage arrays and tables built when the pointer enters (timed apart), DuckDB
filters and groups its own in-memory table. Also timed: one mark to its rows.
"""

from __future__ import annotations

import statistics
import tempfile
from functools import partial
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa

import whence
from bench._timing import milliseconds

SIZES = (1_000_000, 10_000_000)
STEPS = 40
Report = dict[str, object]

SPECS: dict[str, dict[str, object]] = {
    "hours": {"aes": {"x": "hour"}, "stat": {"type": "bin", "start": 0, "step": 0.5}},
    "delay": {"aes": {"x": "delay"}, "stat": {"type": "bin", "bins": 40}},
    "carrier": {"aes": {"x": "carrier", "y": "distance"}, "stat": "sum", "geom": "bar"},
    "airport": {"aes": {"x": "airport", "y": "delay"}, "stat": "mean", "geom": "bar"},
}
DUCK = (
    "select least(floor((delay - {lo}) / {wide}), 39) b, count(*) from t where hour >= {a} and hour < {b} group by b",
    "select carrier, sum(distance) from t where hour >= {a} and hour < {b} group by carrier",
    "select airport, avg(delay) from t where hour >= {a} and hour < {b} group by airport",
)


def table(rows: int) -> pa.Table:
    """Flights."""
    chance = np.random.default_rng(2)
    hour = np.clip(chance.normal(13, 4, rows), 0, 23.99)
    return pa.table(
        {
            "hour": hour,
            "delay": chance.gamma(2, 8, rows) + hour,
            "carrier": pa.array(np.array([f"c{n:02}" for n in range(20)])[chance.integers(0, 20, rows)]),
            "airport": pa.array(np.array([f"a{n:03}" for n in range(300)])[chance.integers(0, 300, rows)]),
            "distance": chance.integers(100, 3000, rows),
        }
    )


def scan(connection: duckdb.DuckDBPyConnection, words: dict[str, float]) -> None:
    """Every chart again, as queries over the table."""
    for query in DUCK:
        connection.sql(query.format(**words)).fetchall()


def summary(times: list[float]) -> Report:
    """Median and worst."""
    return {"median_ms": round(statistics.median(times), 2), "worst_ms": round(max(times), 2)}


def one_size(ws: whence.Workspace, rows: int) -> Report:
    """All steps at one size."""
    data = table(rows)
    dataset = ws.create(f"flights{rows}", data)
    charts = {name: dataset.chart(spec, name=f"{name}{rows}") for name, spec in SPECS.items()}
    first = {name: milliseconds(partial(getattr, chart, "vega")) for name, chart in charts.items()}
    for chart in charts.values():
        chart.marks.lineage.wait()
    link = whence.link(list(charts.values()))
    entering = milliseconds(lambda: link.prepare(charts["hours"]))
    chance = np.random.default_rng(3)
    spans = [
        (float(low), float(low + wide))
        for low, wide in zip(chance.integers(0, 20, STEPS), chance.integers(1, 12, STEPS), strict=True)
    ]
    own, duck = [], []
    with duckdb.connect() as connection:
        connection.register("given", data)
        connection.sql("create table t as select * from given")
        low, high = float(np.min(data["delay"])), float(np.max(data["delay"]))
        for a, b in spans:
            own.append(milliseconds(partial(link.brush, charts["hours"], x=(a, b))))
            words = {"a": a, "b": b, "lo": low, "wide": (high - low) / 40}
            duck.append(milliseconds(partial(scan, connection, words)))
        found = link.brush(charts["hours"], x=spans[-1])[charts["carrier"]].to_pylist()
        wanted = dict(connection.sql(DUCK[1].format(**words)).fetchall())
        assert {row["x"]: row["selected"] for row in found if row["selected"]} == wanted
    link.clear()
    link.prepare(charts["airport"])
    picked = chance.integers(0, charts["airport"].marks.count, STEPS).tolist()
    points = [milliseconds(partial(link.brush, charts["airport"], marks=[mark])) for mark in picked]
    second = whence.link(list(charts.values()))
    second.brush(charts["carrier"], marks=[0, 1, 2])
    second.prepare(charts["hours"])
    several = [milliseconds(partial(second.brush, charts["hours"], x=(a, b))) for a, b in spans]
    backward = charts["airport"].marks.lineage

    def count_behind(mark: int) -> int:
        return backward.backward([mark], to=dataset).count

    behind = [milliseconds(partial(count_behind, mark)) for mark in range(STEPS)]
    return {
        "first picture ms": {name: round(each) for name, each in first.items()},
        "pointer enters ms": round(entering, 1),
        "drag, whence": summary(own),
        "drag, duckdb (three queries)": summary(duck),
        "points, whence": summary(points),
        "drag under a second brush, whence": summary(several),
        "mark to rows": summary(behind),
    }


def run(repeats: int) -> Report:
    """Every size; the steps are the repeats."""
    with tempfile.TemporaryDirectory(prefix="whence-bench-") as folder, whence.open(Path(folder) / "b.whence") as ws:
        found: Report = {}
        for rows in SIZES:
            found[str(rows)] = one_size(ws, rows)
            print(rows, found[str(rows)])
        return found
