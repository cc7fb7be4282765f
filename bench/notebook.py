"""How long it takes from a changed line of SQL to the first page of its result, and how long a large notebook opens.

The same changed queries run in bare PySpark over the same Parquet files: once to show 100 rows and keep nothing, once
to write the result as Parquet and read the first 100 rows of that, which is what a notebook does besides lineage, marks
and versions; and as `ws.sql`, which leaves out the notebook alone. The large notebook has a thousand cells and ten
thousand versions; it is opened without Spark.
"""

from __future__ import annotations

import os
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

import whence
from whence.model.notebook import CellVersion
from whence.notebook.versions.edits import Insert, Replace

ROWS = int(os.environ.get("WHENCE_BENCH_ROWS", 1_000_000))
CELLS = 1_000
VERSIONS = int(os.environ.get("WHENCE_BENCH_VERSIONS", 10_000))
PAGE = 100
QUERIES = {
    "filter": "select id, kind, price * {n} as price from sales where price > 50",
    "group by": "select kind, sum(price) + {n} as total, count(*) as n from sales group by kind",
}


def run(repeats: int) -> dict[str, object]:
    """Time every contender on the same changed queries, in rounds."""
    times: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory(prefix="whence-bench-", dir=os.environ.get("WHENCE_BENCH_FOLDER")) as folder:
        with whence.open(Path(folder) / "sales.whence") as ws:
            ws.capture.take_over(False)  # the same query came before, from the notebook
            contenders = _contenders(ws, Path(folder))
            for number in range(-2, repeats):
                for name, show in contenders.items():
                    taken = _timed(partial(show, number + 3))
                    if number >= 0:
                        times.setdefault(name, []).append(taken)
        facts = _large_notebook(Path(folder) / "large.whence", repeats)
    results = {}
    for name, each in times.items():
        query, _, who = name.partition(": ")
        base = statistics.median(times[f"{query}: PySpark, 100 rows shown"])
        middle = statistics.median(each)
        results[name] = {
            "median_ms": middle,
            "min_ms": min(each),
            "max_ms": max(each),
            "ratio": middle / base,
        }
        if who == "whence":
            facts[f"{query}: more than PySpark that writes, ms"] = round(
                middle - statistics.median(times[f"{query}: PySpark, result written"])
            )
    return {
        "question": f"From a changed line of SQL over {ROWS:,} rows to the first {PAGE} rows of its result",
        "baseline": "PySpark, 100 rows shown",
        "results": results,
        "facts": facts,
    }


def _contenders(ws: whence.Workspace, folder: Path) -> dict[str, Callable[[int], int]]:
    dice = random.Random(1)
    table = pa.table(
        {
            "id": range(ROWS),
            "kind": [f"kind {dice.randrange(100)}" for _ in range(ROWS)],
            "price": [dice.random() * 100 for _ in range(ROWS)],
        }
    )
    pq.write_table(table, folder / "sales.parquet", row_group_size=32_768)
    ws.create("sales", table)
    plain = ws.spark.newSession()
    plain.read.parquet(str(folder / "sales.parquet")).createOrReplaceTempView("sales")
    found: dict[str, Callable[[int], int]] = {}
    for name, text in QUERIES.items():
        found |= _contenders_of_query(ws, plain, folder, name, text)
    return found


def _contenders_of_query(
    ws: whence.Workspace, plain: SparkSession, folder: Path, name: str, text: str
) -> dict[str, Callable[[int], int]]:
    result = name.replace(" ", "_")
    notebook = ws.notebook(result)
    cell = notebook.append("sql", source=text.format(n=0), name=result)
    notebook.wait()
    return {
        f"{name}: whence": lambda n: _edit(ws, notebook, cell, text.format(n=n), result),
        f"{name}: whence, ws.sql": lambda n: ws.sql(text.format(n=n), name=f"{result}_alone").rows(0, PAGE).num_rows,
        f"{name}: PySpark, 100 rows shown": lambda n: plain.sql(text.format(n=n)).limit(PAGE).toArrow().num_rows,
        f"{name}: PySpark, result written": lambda n: _written(plain, text.format(n=n), folder / f"{result}-written"),
    }


def _edit(ws: whence.Workspace, notebook: whence.Notebook, cell: whence.Cell, text: str, name: str) -> int:
    notebook.update(cell, source=text)
    notebook.wait()
    rows: int = ws[name].rows(0, PAGE).num_rows
    return rows


def _written(session: SparkSession, text: str, target: Path) -> int:
    shutil.rmtree(target, ignore_errors=True)
    session.sql(text).write.parquet(str(target))
    rows: int = pq.read_table(next(target.glob("*.parquet"))).slice(0, PAGE).num_rows
    return rows


def _large_notebook(root: Path, repeats: int) -> dict[str, object]:
    """A notebook as it looks after a long life, and how long it takes to see its cells."""
    with whence.open(root) as ws:
        notebook = ws.notebook("large")
        book, last = notebook._open.book, None  # noqa: SLF001 - ten thousand edits through the handle would all be run
        cells = []
        for number in range(VERSIONS):
            said = CellVersion("markdown", {"source": f"text {number}"})
            if number < CELLS:
                cells.append(last := book.new_cell())
                book.commit("main", Insert(last, said.hash, cells[-2] if len(cells) > 1 else None), said)
            else:
                book.commit("main", Replace(cells[number % CELLS], said.hash), said)
        notebook.checkout("main").run().wait()
    opened = []
    for _ in range(repeats):
        start = time.perf_counter()
        with whence.open(root) as ws:
            states = [cell.status for cell in ws.notebook("large").cells]
            opened.append((time.perf_counter() - start) * 1000)
            listed = _timed(partial(_history_length, ws))
            assert states == ["ready"] * CELLS
            assert not ws.is_engine_running
    return {
        f"{CELLS:,} cells, {VERSIONS:,} versions: opened, ms": round(statistics.median(opened)),
        "its history listed, ms": round(listed),
        "its database, MB": round((root / "meta.db").stat().st_size / 1e6, 1),
    }


def _history_length(ws: whence.Workspace) -> int:
    return len(ws.notebook("large").history())


def _timed(do: Callable[[], int]) -> float:
    start = time.perf_counter()
    assert do() > 0
    return (time.perf_counter() - start) * 1000
