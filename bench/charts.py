"""First picture of a chart over a million and ten million rows: whence, with lineage, against the aggregate alone.

Peers in the same run: DuckDB computing the same aggregate from the same Parquet files (no lineage, no picture), and
Altair with VegaFusion, which computes the marks in Python and inlines them. Facts: bytes of each specification.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import altair as alt
import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa

import whence
from whence.cli.bench import Action, Answers, Benchmark, Context, Report, measure

SIZES = (1_000_000, 10_000_000)
SPECS: dict[str, dict[str, object]] = {
    "histogram": {"aes": {"x": "value"}, "stat": {"type": "bin", "bins": 30}},
    "bars": {"aes": {"x": "shop", "y": "value"}, "stat": "sum", "geom": "bar"},
    "medians": {"aes": {"x": "shop", "y": "value"}, "stat": "median", "geom": "bar"},
    "scatter": {"aes": {"x": "value", "y": "second"}, "geom": "point"},
}
DUCK = {
    "histogram": "select least(floor((value - lo) / ((hi - lo) / 30)), 29) b, count(*) n "
    "from t, (select min(value) lo, max(value) hi from t) group by b order by b",
    "bars": "select shop, sum(value) s from t group by shop order by shop",
    "medians": "select shop, median(value) m from t group by shop order by shop",
    "scatter": "select least(floor((value - lo) / ((hi - lo) / 89)), 88) a, "
    "least(floor((second - lo2) / ((hi2 - lo2) / 56)), 55) b, count(*) n "
    "from t, (select min(value) lo, max(value) hi, min(second) lo2, max(second) hi2 from t) group by a, b",
}


def table(rows: int) -> pa.Table:
    """Skewed values in 50 shops."""
    chance = np.random.default_rng(1)
    shops = np.array([f"shop {n:02}" for n in range(50)])
    value = chance.gamma(2.0, 10.0, rows)
    return pa.table(
        {
            "shop": pa.array(shops[chance.integers(0, 50, rows)]),
            "value": value,
            "second": value * 0.5 + chance.normal(0, 5, rows),
        }
    )


def altair_chart(name: str, frame: pd.DataFrame) -> alt.Chart:
    """The same chart as Altair writes it."""
    chart = alt.Chart(frame)
    drawn: alt.Chart
    if name == "histogram":
        drawn = chart.mark_bar().encode(x=alt.X("value:Q", bin=alt.Bin(maxbins=30)), y="count()")
    elif name == "bars":
        drawn = chart.mark_bar().encode(x="shop:N", y="sum(value):Q")
    elif name == "medians":
        drawn = chart.mark_bar().encode(x="shop:N", y="median(value):Q")
    else:
        drawn = chart.mark_rect().encode(
            x=alt.X("value:Q", bin=alt.Bin(maxbins=89)), y=alt.Y("second:Q", bin=alt.Bin(maxbins=56)), color="count()"
        )
    return drawn


def benchmark(name: str, rows: int, dataset: whence.Dataset, parquet: Path, frame: pd.DataFrame) -> Benchmark:
    """One chart at one size."""
    made = iter(range(10_000))

    def own(_: Context) -> Action:
        # A new name each time: the same chart of the same version would not be computed again.
        return lambda: json.dumps(dataset.chart(SPECS[name], name=f"c_{name}_{rows}_{next(made)}").vega)

    def duck(context: Context) -> Action:
        connection = context.closing.enter_context(duckdb.connect())
        connection.sql(f"create view t as select * from '{parquet}/**/*.parquet'")
        return lambda: connection.sql(DUCK[name]).fetchall()

    def altair(_: Context) -> Action:
        return lambda: json.dumps(altair_chart(name, frame).to_dict(format="vega"))

    def facts(answers: Answers) -> Report:
        return {f"bytes {who}": len(str(answer)) for who, answer in answers.items() if isinstance(answer, str)}

    return Benchmark(
        f"charts {name} {rows}",
        "How long until the picture is there?",
        "duckdb aggregate",
        {"whence": own, "duckdb aggregate": duck, "altair + vegafusion": altair},
        facts=facts,
        warmups=1,
    )


def run(repeats: int) -> Report:
    """Every chart at every size."""
    alt.data_transformers.enable("vegafusion")
    found: Report = {}
    with tempfile.TemporaryDirectory(prefix="whence-bench-") as folder, whence.open(Path(folder) / "b.whence") as ws:
        for rows in SIZES:
            made = table(rows)
            dataset = ws.create(f"t{rows}", made)
            parquet = _parquet(ws, dataset)
            frame = made.to_pandas()
            for name in SPECS:
                report = measure(benchmark(name, rows, dataset, parquet, frame), repeats)
                found[f"{name} {rows}"] = {"results": report["results"], "facts": report["facts"]}
                print(name, rows, json.dumps(found[f"{name} {rows}"]))
    return found


def _parquet(ws: whence.Workspace, dataset: whence.Dataset) -> Path:
    return ws._context.store.rows_path(dataset.record)  # noqa: SLF001 - the peer reads the same files
