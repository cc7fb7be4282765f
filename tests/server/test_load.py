"""Many readers and editors of one server while cells run: every request is answered, and nothing grows with the runs.

`WHENCE_LOAD_MINUTES`, `WHENCE_LOAD_RUNS`, `WHENCE_LOAD_READERS` and `WHENCE_LOAD_EDITORS` say how long and how many.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

import whence
from tests.server.load import Crowd, Taken
from tests.server.serving import KINDS, served
from whence.client import Client

ROWS = 100_000
MINUTES = float(os.environ.get("WHENCE_LOAD_MINUTES", 10))
RUNS = int(os.environ.get("WHENCE_LOAD_RUNS", 300))
READERS = int(os.environ.get("WHENCE_LOAD_READERS", 200))
EDITORS = int(os.environ.get("WHENCE_LOAD_EDITORS", 20))
PAUSE = 2.0
"""Seconds that a reader or an editor takes until the next request."""
CELLS = {
    "sql": "select k, sum(x) + {run} as s from t group by k",
    "python": "sums = ws['t'].to_pandas().groupby('k', as_index=False).x.sum()\nws['sums'] = sums.assign(run={run})\n",
    "pyspark": (
        "from pyspark.sql import functions as F\n"
        "few = ws['t'].df.where('x < 1000')\n"
        "ws['added'] = few.select(F.udf(lambda x: x + {run}, 'long')('x').alias('z'))\n"
    ),
}


def run_cells(client: Client, look: Callable[[], Taken]) -> list[Taken]:
    """Change and run one cell after another, and look at what the processes take after each of them."""
    cells = {}
    for name in CELLS:
        kind = "sql" if name == "sql" else "python"
        made = client.add_cell("runs", kind=kind, values=_values(name, 0)).cell
        assert made is not None
        cells[name] = made.id
    client.wait("runs", timeout=300)
    taken = []
    for run in range(1, RUNS + 1):
        name = list(CELLS)[run % len(CELLS)]
        client.change_cell("runs", cells[name], values=_values(name, run))
        view = client.wait("runs", timeout=300)
        assert {cell.status for cell in view.cells} == {"ready"}, [cell.error for cell in view.cells]
        taken.append(look())
    return taken


def _values(name: str, run: int) -> dict[str, object]:
    text = CELLS[name].format(run=run)
    return {"source": text, "name": "groups"} if name == "sql" else {"source": text}


def growth(figures: list[int]) -> float:
    """By how much the last third of the runs takes more than the second: the first third fills caches."""
    third = len(figures) // 3
    return statistics.median(figures[2 * third :]) - statistics.median(figures[third : 2 * third])


@pytest.mark.long
@pytest.mark.spark
def test_a_crowd_is_answered_while_cells_run_and_nothing_grows(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    path, temporary = tmp_path / "w.whence", tmp_path / "temporary"
    temporary.mkdir()
    with whence.open(path) as ws:
        ws.create("t", pa.table({"k": [n % 100 for n in range(ROWS)], "x": list(range(ROWS))}))
        ws.sql("select k, 2 * x as y from t", name="doubled")
    with served(path, temporary) as server:
        folders, client = [temporary, path / "tmp", path / "staging"], server.client
        crowd, is_over = Crowd(client, ROWS, PAUSE), threading.Event()
        thread = threading.Thread(target=lambda: asyncio.run(crowd.run(READERS, EDITORS, is_over.is_set)))
        begun = time.monotonic()
        client.make_notebook(name="runs")
        thread.start()
        try:
            taken = run_cells(client, lambda: Taken.now(server, folders))
            time.sleep(max(0.0, begun + 60 * MINUTES - time.monotonic()))
        finally:
            is_over.set()
            thread.join(60)
        for name, text in crowd.written.items():
            (cell,) = client.read_notebook(name).cells
            assert cell.values["source"] == text
    _report(record_property, crowd, taken)
    assert len(crowd.written) == EDITORS
    assert crowd.answers.refused == []
    assert growth([each.temporary_files for each in taken]) <= 20
    for kind in KINDS:
        assert growth([each.handles[kind] for each in taken]) <= 20, kind
        assert growth([each.megabytes[kind] for each in taken]) <= 100, kind


def _report(record_property: Callable[[str, object], None], crowd: Crowd, taken: list[Taken]) -> None:
    figures: dict[str, object] = dict(crowd.answers.figures())
    figures |= {f"after run {run}": taken[run - 1] for run in {1, RUNS // 3, 2 * RUNS // 3, RUNS}}
    for name, value in figures.items():
        record_property(name, value)
        print(f"{name}: {value}")  # noqa: T201 - figures for the report of the run
