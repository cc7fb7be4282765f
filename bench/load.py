"""How long a clean CSV file takes to become a stored dataset, against Spark, pandas and Arrow, small and large.

All read the same file and write Parquet with zstd. whence also keeps a copy of the source with its hash, checksums of
every page and file, a report, the line of every row, and returns only when all of it is on the disk.
WHENCE_BENCH_MB sets the size of the large file in megabytes.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv as pv
import pyarrow.parquet as pq

import whence
from whence.cli.bench import Action, Answers, Benchmark, Context, Report, measure

SMALL_MB = 1
LARGE_MB = int(os.environ.get("WHENCE_BENCH_MB", "200"))
_ROWS_PER_MB = 14_500
_BLOCK = 100_000
_CITIES = np.array(["Aarhus", "Berlin", "Chicago", "Delhi", "Essen", "Fes", "Graz", "Hanoi", "Izmir", "new york"])


def make_file(path: Path, megabytes: int) -> Path:
    """Orders: whole numbers, money, a date, a time, few and many different texts, true and false."""
    random = np.random.default_rng(7)
    rows = _ROWS_PER_MB * megabytes
    with path.open("wb") as file:
        for start in range(0, rows, _BLOCK):
            some = min(_BLOCK, rows - start)
            options = pv.WriteOptions(include_header=start == 0, quoting_style="none")
            pv.write_csv(_orders(random, start, some), file, options)
    return path


def _orders(random: np.random.Generator, start: int, rows: int) -> pa.Table:
    day = np.datetime64("2020-01-01") + random.integers(0, 1500, rows).astype("timedelta64[D]")
    at = np.datetime64("2020-01-01T00:00:00") + random.integers(0, 10**8, rows).astype("timedelta64[s]")
    return pa.table(
        {
            "id": np.arange(start, start + rows),
            "quantity": random.integers(0, 1000, rows),
            "price": np.round(random.uniform(0, 1000, rows), 2),
            "day": pa.array(day),
            "city": _CITIES[random.integers(0, len(_CITIES), rows)],
            "person": [f"person {number}" for number in random.integers(0, 10**6, rows)],
            "paid": random.integers(0, 2, rows).astype(bool),
            "at": pa.array(at),
        }
    )


def _whence(context: Context) -> Action:
    workspace = context.closing.enter_context(whence.open(context.folder / "load.whence"))
    source = _source(context)
    return lambda: workspace.load(source, name="orders").count


def _spark(context: Context) -> Action:
    spark = context.closing.enter_context(whence.open(context.folder / "spark.whence")).spark
    source, numbers = _source(context), count()

    def action() -> int:
        folder = context.folder / f"spark-{next(numbers)}"
        frame = spark.read.csv(str(source), header=True, inferSchema=True)
        frame.write.option("compression", "zstd").parquet(str(folder))
        rows: int = sum(pq.read_metadata(part).num_rows for part in folder.glob("*.parquet"))
        shutil.rmtree(folder)
        return rows

    return action


def _pandas(context: Context) -> Action:
    source, target = _source(context), context.folder / "pandas.parquet"

    def action() -> int:
        frame = pd.read_csv(source)
        frame.to_parquet(target, compression="zstd")
        return len(frame)

    return action


def _pyarrow(context: Context) -> Action:
    source, target = _source(context), context.folder / "pyarrow.parquet"

    def action() -> int:
        table = pv.read_csv(source)
        pq.write_table(table, target, compression="zstd")
        return int(table.num_rows)

    return action


def _source(context: Context) -> Path:
    (source,) = context.folder.glob("orders-*.csv")
    return source


def _sized(megabytes: int) -> Benchmark:
    def first(contender: Callable[[Context], Action]) -> Callable[[Context], Action]:
        def prepare(context: Context) -> Action:
            path = context.folder / f"orders-{megabytes}.csv"
            if not path.exists():
                make_file(path, megabytes)
            return contender(context)

        return prepare

    contenders = {"spark": _spark, "pandas": _pandas, "pyarrow": _pyarrow, "whence": _whence}
    prepared = {name: first(contender) for name, contender in contenders.items()}
    question = f"A clean CSV file of {megabytes} MB as stored Parquet: how long?"
    return Benchmark(f"load-{megabytes}", question, "spark", prepared, (_same_rows,), warmups=1)


def _same_rows(answers: Answers) -> None:
    assert len(set(answers.values())) == 1, answers


def run(repeats: int) -> Report:
    """Both sizes; ratios are to Spark on the same file."""
    results: dict[str, object] = {}
    with TemporaryDirectory() as folder, whence.open(Path(folder) / "home.whence") as home:
        assert home.spark is not None  # Spark's scratch files lie where it was started, so that must outlive both runs
        for megabytes in (SMALL_MB, LARGE_MB):
            found = measure(_sized(megabytes), repeats)["results"]
            assert isinstance(found, dict)
            results |= {f"{megabytes} MB, {name}": values for name, values in found.items()}
    return {"question": "A clean CSV file as stored Parquet: how long?", "baseline": "spark", "results": results}
