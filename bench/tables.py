"""What a query over a Delta or Iceberg table costs through whence, against Spark over the same files as plain Parquet.

All run the same aggregation in the same Spark session. A table is read in place, or copied to the workspace when it was
loaded. WHENCE_BENCH_ROWS sets the number of rows.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa

import whence
from whence.cli.bench import Action, Answers, Benchmark, Context, Report, measure
from whence.engine.frames import Frame
from whence.workspace.save_delta import write_delta
from whence.workspace.save_iceberg import write_iceberg

ROWS = int(os.environ.get("WHENCE_BENCH_ROWS", "10_000_000"))
FILES = 4
Write = Callable[[Path, pa.RecordBatchReader, str], None]
FORMATS: dict[str, Write] = {"Delta": write_delta, "Iceberg": write_iceberg}


def make_table(folder: Path, write: Write) -> None:
    """Orders in several commits: a key of many values, a group, a number and a text."""
    random = np.random.default_rng(7)
    for number in range(FILES):
        rows = ROWS // FILES
        table = pa.table(
            {
                "id": np.arange(number * rows, (number + 1) * rows),
                "shop": random.integers(0, 1000, rows),
                "price": np.round(random.uniform(0, 1000, rows), 2),
                "city": np.array(["Aarhus", "Berlin", "Chicago", "Delhi"])[random.integers(0, 4, rows)],
            }
        )
        write(folder, table.to_reader(), "append" if number else "errorifexists")


def _format(name: str) -> Benchmark:
    def plain(context: Context) -> Action:
        workspace = _workspace(context, "plain")
        files = [str(file) for file in sorted(_folder(context, name).rglob("*.parquet"))]
        return lambda: _answer(workspace.spark.read.parquet(*files))

    def through(in_place: bool) -> Callable[[Context], Action]:
        def prepare(context: Context) -> Action:
            workspace = _workspace(context, f"whence-{in_place}")
            orders = workspace.load(_folder(context, name), name="orders", in_place=in_place)
            return lambda: _answer(orders.df)

        return prepare

    question = f"An aggregation over {ROWS:,} rows of a table in {FILES} files: how long?"
    contenders = {"plain Parquet": plain, "whence, in place": through(True), "whence, copied": through(False)}
    return Benchmark(name, question, "plain Parquet", contenders, (_same_rows,), warmups=2)


def _workspace(context: Context, name: str) -> whence.Workspace:
    return context.closing.enter_context(whence.open(context.folder / f"{name}.whence"))


def _folder(context: Context, name: str) -> Path:
    folder = context.folder / name
    if not folder.exists():
        make_table(folder, FORMATS[name])
    return folder


def _answer(frame: Frame) -> list[tuple[object, ...]]:
    found = frame.selectExpr("shop", "city", "cast(price * 100 as bigint) as cents", "id")
    totals = found.groupBy("city").agg({"cents": "sum", "shop": "max", "id": "count"}).orderBy("city")
    return [tuple(row) for row in totals.collect()]


def _same_rows(answers: Answers) -> None:
    first, *others = answers.values()
    assert all(each == first for each in others), answers


def run(repeats: int) -> Report:
    """Both formats; ratios are to plain Parquet of the same files."""
    results: dict[str, object] = {}
    with TemporaryDirectory() as folder, whence.open(Path(folder) / "home.whence") as home:
        assert home.spark is not None  # Spark's scratch files lie where it was started, so that must outlive both runs
        for name in FORMATS:
            found = measure(_format(name), repeats)["results"]
            assert isinstance(found, dict)
            results |= {f"{name}, {contender}": values for contender, values in found.items()}
    question = f"An aggregation over {ROWS:,} rows of a table in {FILES} files: how long?"
    return {"question": question, "baseline": "plain Parquet", "results": results}
