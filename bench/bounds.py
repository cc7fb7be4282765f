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
import tempfile
import time
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from unittest.mock import patch

import whence
from bench._graffiti import BY_WARD, write_graffiti
from bench._timing import milliseconds
from bench._tpch import generate_tables, query_text
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
            f"ranges of {table}, ms": round(milliseconds(workspace[table].caveats.widths), 1)
            for table in ("lineitem", "orders", "customer", "graffiti")
        }
        workloads = {f"TPC-H {query}": query_text(query) for query in QUERIES} | {"messy CSV": BY_WARD}
        rows = [_measured(workspace, folder, title, text, repeats) for title, text in workloads.items()]
    return {
        "question": f"TPC-H scale {SCALE}, 1 % of cells in doubt with a range; {ROWS:,} messy rows",
        "rows": rows,
        "facts": facts,
    }


def _measured(workspace: whence.Workspace, folder: Path, title: str, text: str, repeats: int) -> Report:
    times: dict[str, list[float]] = {"plain": [], "marks": [], "bounds": []}
    for _ in range(repeats + 1):
        times["plain"].append(milliseconds(lambda: _plain(workspace, folder, text)))
        with patch("whence.derive.rewrite.bound_plan", return_value=None):
            times["marks"].append(milliseconds(lambda: _run_query(workspace, text)))
        start = time.perf_counter()
        widths = _run_query(workspace, text).caveats.widths()
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


def _run_query(workspace: whence.Workspace, text: str) -> whence.Dataset:
    made = workspace.sql(text, name="out")
    made.lineage.wait()
    return made


def _plain(workspace: whence.Workspace, folder: Path, text: str) -> None:
    target = folder / f"plain-{next(NUMBERS)}"
    workspace.spark.sql(text).write.option("compression", "zstd").parquet(str(target))


def _load_tpch(workspace: whence.Workspace, folder: Path) -> None:
    """Each table with its ranges; then under its own name for Spark as well."""
    generate_tables(folder, SCALE, RANGED)
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
    write_graffiti(folder / "graffiti.csv", ROWS)
    workspace.load(folder / "graffiti.csv", name="loaded", types={"days": "string"})
    number = "try_cast(days as int)"
    days_sql = f"caveat_if(coalesce({number}, 45), {number} is null, 'no number', 0, 90)"
    made = workspace.sql(f"select request, status, ward, {days_sql} as days from loaded", name="graffiti")
    made.df.createOrReplaceTempView("graffiti")
