"""How long explanations take as tables grow, from the query's result to the answers, lineage and reading included.

SYNTH 4-D Easy AVG at WHENCE_BENCH_ROWS rows (default 20,000, 1, 3 and 10 million) and 2-D at the first of them; flights
of a whole year by month where WHENCE_SHARED_DATA names the folder that holds nycflights13. Beside each the time of a
regression tree of thirty-two leaves on all rows in memory, which only splits and does not judge.
"""

from __future__ import annotations

import os
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import whence
from bench._explain_peers import regression_tree
from bench._synth import GROUPS, Synth, synth
from bench._timing import cpu_seconds
from whence.explain.aggregates.avg import Avg

SIZES = [int(each) for each in os.environ.get("WHENCE_BENCH_ROWS", "20000,1000000,3000000,10000000").split(",")]
EASY, SEED = 80.0, 1
Result = TypeVar("Result")
FLIGHT_ATTRIBUTES = ["sched_dep_time", "sched_arr_time", "carrier", "origin", "dest", "distance", "flight", "day"]


def run(repeats: int) -> dict[str, object]:
    """One row for each table; `repeats` is not used."""
    with tempfile.TemporaryDirectory(prefix="whence-bench-") as folder, whence.open(f"{folder}/w.whence") as ws:
        ws.sql("select 1 one", name="warm")
        rows = [_synth(ws, Path(folder), 2, SIZES[0])]
        rows += [_synth(ws, Path(folder), 4, size) for size in SIZES]
        data = os.environ.get("WHENCE_SHARED_DATA")
        if data is not None:
            rows.append(_flights(ws, Path(data) / "nycflights13" / "flights.parquet"))
    return {"question": "Explain a group-by over tables of growing size: seconds", "rows": rows}


def _synth(ws: whence.Workspace, folder: Path, dimensions: int, size: int) -> dict[str, object]:
    table = synth(dimensions, EASY, SEED, Avg(), rows=size // GROUPS)
    order = np.random.default_rng(0).permutation(size)
    columns = {name: values[order] for name, values in table.attributes.items()}
    path = folder / f"synth{dimensions}_{size}.parquet"
    pq.write_table(pa.table({**columns, "g": table.problem.owner[order], "v": table.problem.columns[0][order]}), path)
    name = path.stem
    ws.load(path, name=name)
    grouped, query = _timed(lambda: ws.sql(f"select g, avg(v) m from {name} group by g order by g", name=f"by_{name}"))
    grouped.lineage.wait()
    row, found = _explained(grouped, "m", list(range(5)), [f"a{number}" for number in range(dimensions)])
    row = {"table": f"SYNTH {dimensions}-D", "rows": size, "query": query, **row}
    for cube, where in (("outer", table.outer), ("inner", table.inner)):
        masks = [each.predicate.matches(table.attributes) for each in found]
        row[f"F {cube}"] = max((table.f_score(mask, where) for mask in masks), default=0.0)
    row["tree"] = _tree_seconds(table)
    path.unlink()
    return row


def _flights(ws: whence.Workspace, path: Path) -> dict[str, object]:
    ws.load(path, name="flights")
    text = "select month, avg(dep_delay) d from flights group by month order by month"
    monthly, query = _timed(lambda: ws.sql(text, name="monthly"))
    monthly.lineage.wait()
    row, found = _explained(monthly, "d", [5, 6], FLIGHT_ATTRIBUTES)
    best = found[0].predicate.sql if len(found) else found.reason
    unknown = {"F outer": None, "F inner": None, "tree": None}
    return {"table": f"flights: {best}", "rows": 336_776, "query": query, **row, **unknown}


def _explained(
    dataset: whence.Dataset, column: str, outliers: list[int], attributes: list[str]
) -> tuple[dict[str, object], whence.Explanations[whence.Dataset]]:
    heard: list[float] = []

    def listen(_: object) -> None:
        heard.append(time.monotonic() - started)

    started, spent = time.monotonic(), cpu_seconds()
    found = whence.explain(
        dataset,
        column,
        outliers=outliers,
        holdouts="others",
        attributes=attributes,
        partial=listen,
    )
    seconds, cpu = time.monotonic() - started, cpu_seconds() - spent
    _, again = _timed(lambda: found.at(c=0.2))
    row: dict[str, object] = {"explain": seconds, "cpu": cpu, "first": heard[0] if heard else None, "again": again}
    row["peak MB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return row, found


def _tree_seconds(table: Synth) -> float:
    return _timed(lambda: regression_tree(table))[1]


def _timed(action: Callable[[], Result]) -> tuple[Result, float]:
    started = time.monotonic()
    result = action()
    return result, time.monotonic() - started
