"""What bounds cost beside the plain query, and beside marks with the lineage that bounds need.

TPC-H queries 1, 3, 10 and 12 over data of which one cell in a hundred of each measure is in doubt and states a range of
10 % either way, and a group-by over a messy CSV whose unreadable numbers state a range. `WHENCE_BENCH_SCALE` sets
TPC-H's scale factor (default 0.1: bounds follow results of at most five million rows), `WHENCE_BENCH_ROWS` the rows of
the CSV.

Each round makes the dataset anew, so that nothing is kept from the round before: once without ranges, once with them.
The ranges of the tables that a query reads are stored with them; `facts` says how long it took to read them.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv

import whence
from whence.cli.bench import Report

SCALE = os.environ.get("WHENCE_BENCH_SCALE", "0.1")
ROWS = int(os.environ.get("WHENCE_BENCH_ROWS", "1_000_000"))
QUERIES = ("q01", "q03", "q10", "q12")
RANGED = {
    "lineitem": ("l_quantity", "l_extendedprice", "l_discount", "l_tax"),
    "orders": ("o_totalprice",),
    "customer": ("c_acctbal",),
    "nation": (),
}
MESSY_QUERY = "select status, ward, count(*) n, sum(days) s, avg(days) a from graffiti group by status, ward"
NUMBERS = count()


def run(repeats: int) -> Report:
    """Time every workload: Spark's own write, whence with marks and lineage, and with bounds as well."""
    with tempfile.TemporaryDirectory(prefix="whence-bench-") as name, ExitStack() as closing:
        folder = Path(name)
        workspace = closing.enter_context(whence.open(folder / "bounds.whence"))
        workspace.capture.take_over(False)  # the same queries are to run again and again
        _load_tpch(workspace, folder / "tpch")
        _load_messy(workspace, folder)
        facts: Report = {
            f"ranges of {table}, ms": round(_timed(workspace[table].caveats.widths), 1)
            for table in ("lineitem", "orders", "customer", "graffiti")
        }
        workloads = {f"TPC-H {query}": _tpch(query) for query in QUERIES} | {"messy CSV": MESSY_QUERY}
        rows = [_measured(workspace, folder, title, text, repeats) for title, text in workloads.items()]
    return {
        "question": f"TPC-H scale {SCALE}, 1 % of cells in doubt with a range; {ROWS:,} messy rows",
        "rows": rows,
        "facts": facts,
    }


def _measured(workspace: whence.Workspace, folder: Path, title: str, text: str, repeats: int) -> Report:
    times: dict[str, list[float]] = {"plain": [], "marks": [], "bounds": []}
    for _ in range(repeats + 1):
        times["plain"].append(_timed(lambda: _plain(workspace, folder, text)))
        with patch("whence.derive.rewrite.bound_plan", return_value=None):
            times["marks"].append(_timed(lambda: _made(workspace, text)))
        start = time.perf_counter()
        widths = _made(workspace, text).caveats.widths()
        times["bounds"].append(1000 * (time.perf_counter() - start))
    plain, marks, bounds = (statistics.median(measured[1:]) for measured in times.values())
    return {
        "workload": title,
        "plain_ms": plain,
        "marks_ms": marks,
        "bounds_ms": bounds,
        "marks": marks / plain,
        "bounds": bounds / plain,
        "bounds/marks": bounds / marks,
        "doubtful": sum(each.doubtful for each in widths),
        "bounded": sum(each.doubtful - each.unknown for each in widths),
    }


def _made(workspace: whence.Workspace, text: str) -> whence.Dataset:
    made = workspace.sql(text, name="out")
    made.lineage.wait()
    return made


def _plain(workspace: whence.Workspace, folder: Path, text: str) -> None:
    target = folder / f"plain-{next(NUMBERS)}"
    workspace.spark.sql(text).write.option("compression", "zstd").parquet(str(target))


def _tpch(query: str) -> str:
    return (Path(__file__).parent / "tpch" / "queries" / f"{query}.sql").read_text()


def _load_tpch(workspace: whence.Workspace, folder: Path) -> None:
    """Each table with its ranges; then under its own name for Spark as well."""
    tool = Path(sys.executable).with_name("tpchgen-cli")
    command = [str(tool), "parquet", "-s", SCALE, f"--tables={','.join(RANGED)}", f"--output-dir={folder}"]
    subprocess.run(command, check=True, capture_output=True)
    for table, measures in RANGED.items():
        loaded = workspace.load(folder / f"{table}.parquet", name=f"{table}_loaded")
        types = {field.name: field.type for field in loaded.schema}
        identity = ", ".join(loaded.columns[:4])
        shown = [_ranged(name, identity, types[name]) if name in measures else name for name in loaded.columns]
        made = workspace.sql(f"select {', '.join(shown)} from {table}_loaded", name=table)
        made.df.createOrReplaceTempView(table)


def _ranged(name: str, identity: str, kind: str) -> str:
    ends = (f"cast({name} {sign} abs({name}) / 10 as {kind})" for sign in "-+")
    condition = f"pmod(xxhash64('{name}', {identity}), 100) = 0"
    return f"caveat_if({name}, {condition}, 'odd', {', '.join(ends)}) as {name}"


def _load_messy(workspace: whence.Workspace, folder: Path) -> None:
    random = np.random.default_rng(11)
    days = random.integers(0, 90, ROWS).astype(str).astype(object)
    days[random.random(ROWS) < 0.01] = "n/a"
    table = pa.table(
        {
            "request": np.arange(ROWS),
            "status": random.choice(["Completed", "Completed - Dup", "Open", "Open - Dup"], ROWS),
            "ward": random.integers(1, 51, ROWS),
            "days": days,
        }
    )
    csv.write_csv(table, folder / "graffiti.csv")
    workspace.load(folder / "graffiti.csv", name="loaded", types={"days": "string"})
    number = "try_cast(days as int)"
    days_sql = f"caveat_if(coalesce({number}, 45), {number} is null, 'no number', 0, 90)"
    made = workspace.sql(f"select request, status, ward, {days_sql} as days from loaded", name="graffiti")
    made.df.createOrReplaceTempView("graffiti")


def _timed(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return 1000 * (time.perf_counter() - start)
