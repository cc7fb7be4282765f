"""What marks cost a query, alone and with lineage, and how long it takes to say which caveats stand behind them.

TPC-H queries 1, 3, 10 and 12 over data of which one cell in a hundred of each measure is in doubt, and a group-by over
a messy CSV of a million rows, as large as the Graffiti data of the Vizier paper. `WHENCE_BENCH_SCALE` sets TPC-H's
scale factor (default 1), `WHENCE_BENCH_ROWS` the rows of the CSV.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import whence
from bench._graffiti import BY_WARD, write_graffiti
from bench._timing import milliseconds
from bench._tpch import generate_tables, query_text
from whence.cli.bench import Report

SCALE = os.environ.get("WHENCE_BENCH_SCALE", "1")
ROWS = int(os.environ.get("WHENCE_BENCH_ROWS", "1_000_000"))
QUERIES = ("q01", "q03", "q10", "q12")
DOUBTFUL = {
    "lineitem": ("l_quantity", "l_extendedprice", "l_discount", "l_tax"),
    "orders": ("o_totalprice", "o_orderpriority"),
    "customer": ("c_acctbal", "c_phone"),
    "nation": (),
}
"""Measures and descriptions, of which query 10 groups by two; what joins and filters is certain."""
NUMBERS = count()


def run(repeats: int) -> Report:
    """Time every workload: Spark's own write, whence with marks, whence as shipped, and until lineage is there too."""
    with tempfile.TemporaryDirectory(prefix="whence-bench-") as name, ExitStack() as closing:
        folder = Path(name)
        workspace = closing.enter_context(whence.open(folder / "caveats.whence"))
        workspace.capture.take_over(False)  # the same queries are to run again and again
        workloads = {f"TPC-H {query}": query_text(query) for query in QUERIES} | {"messy CSV": BY_WARD}
        _load_tpch(workspace, folder / "tpch")
        _load_messy(workspace, folder)
        rows = [_measured(workspace, folder, title, text, repeats) for title, text in workloads.items()]
        facts = _answering(workspace)
    return {
        "question": f"TPC-H scale {SCALE}, 1 % of cells in doubt; {ROWS:,} messy rows",
        "rows": rows,
        "facts": facts,
    }


def _measured(workspace: whence.Workspace, folder: Path, title: str, text: str, repeats: int) -> Report:
    actions: dict[str, Callable[[], object]] = {
        "plain": lambda: _plain(workspace, folder, text),
        "marks": lambda: workspace.sql(text, name="out", lineage=False),
        "shipped": lambda: workspace.sql(text, name="out"),
    }
    times: dict[str, list[float]] = {name: [] for name in (*actions, "captured")}
    for _ in range(repeats + 1):
        for name, action in actions.items():
            start = time.perf_counter()
            made = action()
            times[name].append(1000 * (time.perf_counter() - start))
            if name == "shipped":
                # A job in the background belongs to this query, and must not slow the next one down.
                assert isinstance(made, whence.Dataset)
                made.lineage.wait()
                times["captured"].append(1000 * (time.perf_counter() - start))
    plain, marks, shipped, captured = (statistics.median(measured[1:]) for measured in times.values())
    marked = workspace["out"].caveats.marks()
    doubted = sum(sum(column.to_pylist()) for column in marked.columns)
    return {
        "workload": title,
        "plain_ms": plain,
        "marks_ms": marks,
        "shipped_ms": shipped,
        "marks": marks / plain,
        "shipped": shipped / plain,
        "captured": captured / plain,
        "marked": doubted,
    }


def _plain(workspace: whence.Workspace, folder: Path, text: str) -> None:
    target = folder / f"plain-{next(NUMBERS)}"
    workspace.spark.sql(text).write.option("compression", "zstd").parquet(str(target))


def _load_tpch(workspace: whence.Workspace, folder: Path) -> None:
    """Each table with its doubts; then under its own name for Spark as well."""
    generate_tables(folder, SCALE, DOUBTFUL)
    for table, measures in DOUBTFUL.items():
        loaded = workspace.load(folder / f"{table}.parquet", name=f"{table}_loaded")
        identity = ", ".join(loaded.columns[:4])
        shown = [_doubted(name, identity) if name in measures else name for name in loaded.columns]
        made = workspace.sql(f"select {', '.join(shown)} from {table}_loaded", name=table, lineage=False)
        made.df.createOrReplaceTempView(table)


def _doubted(name: str, identity: str) -> str:
    return f"caveat_if({name}, pmod(xxhash64('{name}', {identity}), 100) = 0, 'odd') as {name}"


def _load_messy(workspace: whence.Workspace, folder: Path) -> None:
    write_graffiti(folder / "graffiti.csv", ROWS)
    workspace.load(folder / "graffiti.csv", name="graffiti", types={"days": "int"}).df.createOrReplaceTempView(
        "graffiti"
    )


def _answering(workspace: whence.Workspace) -> Report:
    """How long the first summary of a dataset takes, and the details of one cell, first and then again."""
    out = workspace.sql(BY_WARD, name="by_ward")
    path = workspace.path
    workspace.close()
    with whence.open(path) as again:
        facts: Report = {}
        for dataset in ("graffiti", out.name):
            facts[f"first summary of {dataset}, ms"] = round(milliseconds(lambda: again[dataset].caveats.list()), 1)  # noqa: B023
            facts[f"summary of {dataset} again, ms"] = round(milliseconds(lambda: again[dataset].caveats.list()), 1)  # noqa: B023
        facts["first cell, ms"] = round(milliseconds(lambda: again[out.name].caveats.list(row=3, column="s")), 1)
        later = [milliseconds(lambda: again[out.name].caveats.list(row=row, column="s")) for row in range(4, 24)]  # noqa: B023
        facts["another cell, median ms"] = round(statistics.median(later), 1)
        facts["caveats"] = again["graffiti"].caveats.list()[0].count
    return facts
