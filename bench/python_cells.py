"""What a Python cell costs: its start from the warm pool, and a million rows there and back, against plain processes.

Every contender waits until the pool is warm again before it is timed, as a user who reads a result would; starting a
worker is the contender "a fresh process".
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from whence.cli.bench import summarise
from whence.engine.engine import Engine
from whence.loading.create import create
from whence.notebook.cell import CellContext
from whence.notebook.run_cell import run_cell
from whence.notebook.scope import Names
from whence.notebook.workers.pool import Pool
from whence.store.store import Store

ROWS = int(os.environ.get("WHENCE_BENCH_ROWS", 1_000_000))
START = "1 + 1"
ROUND_TRIP = "df = ws['big'].to_pandas()\ndf['twice'] = df.x * 2\nws['out'] = df"
_PLAIN = "import numpy, pandas, pyarrow, pyarrow.parquet\n"


def run(repeats: int) -> dict[str, object]:
    """Time all contenders in rounds."""
    with tempfile.TemporaryDirectory(prefix="whence-bench-") as folder:
        store = Store.open(Path(folder) / "cells.whence")
        pool = Pool(store.layout.temporary)
        try:
            contenders = _contenders(store, pool, Path(folder))
            times: dict[str, list[float]] = {name: [] for name in contenders}
            for number in range(repeats + 1):
                for name, contender in contenders.items():
                    _wait_until_warm(pool)
                    began = time.perf_counter()
                    contender()
                    if number:  # the first round warms up
                        times[name].append((time.perf_counter() - began) * 1000)
            level = pool.level().describe()
        finally:
            pool.close()
            store.close()
    return {
        "question": f"A Python cell: start, and {ROWS:,} rows of 4 columns to pandas and back",
        "baseline": "cell, from the pool",
        "results": summarise(times, "cell, from the pool"),
        "facts": {"isolation": level},
    }


def _contenders(store: Store, pool: Pool, folder: Path) -> dict[str, Callable[[], object]]:
    engine = Engine(store, "local[*]")
    random = np.random.default_rng(3)
    words = np.array([f"word {number}" for number in range(1000)])
    table = pa.table(
        {
            "id": np.arange(ROWS),
            "x": random.random(ROWS),
            "n": random.integers(0, 100, ROWS),
            "w": words[random.integers(0, 1000, ROWS)],
        }
    )
    create(store, "big", table)
    parquet = folder / "big.parquet"
    pq.write_table(table, parquet, compression="zstd")

    def cell(source: str, workers: Pool | None) -> object:
        scope = Names({"big": store.current("big")})
        return run_cell(CellContext(store, engine, scope, workers=workers), "python", {"source": source})

    def plain(source: str) -> object:
        return subprocess.run([sys.executable, "-c", _PLAIN + source], check=True, capture_output=True)

    def in_this_process() -> object:
        frame = pq.read_table(parquet).to_pandas()
        frame["twice"] = frame.x * 2
        pq.write_table(pa.Table.from_pandas(frame), io.BytesIO(), compression="zstd")
        return frame

    back = f"f = pandas.read_parquet({str(parquet)!r}); f['twice'] = f.x * 2; f.to_parquet({str(folder / 'o')!r})"
    return {
        "cell, from the pool": lambda: cell(START, pool),
        "cell, a fresh process": lambda: cell(START, None),
        "plain Python process": lambda: plain(START),
        "rows: cell, from the pool": lambda: cell(ROUND_TRIP, pool),
        "rows: plain Python process": lambda: plain(back),
        "rows: in this process": in_this_process,
    }


def _wait_until_warm(pool: Pool) -> None:
    pool.warm_up()
    while pool.waiting < 1:
        time.sleep(0.05)
    time.sleep(0.2)
